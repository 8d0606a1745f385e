// The `utf7` package ships no types; these are the parts used here.

declare module 'utf7' {
  const utf7: {
    /** RFC 2152 with only set D left unencoded; a `+` becomes `+-`. */
    encode(text: string): string;
    /** RFC 3501 (IMAP) modified UTF-7: `&` shifts, `,` replaces `/`. */
    imap: { decode(text: string): string };
  };
  export default utf7;
}
