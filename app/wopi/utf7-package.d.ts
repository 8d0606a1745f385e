// The `utf7` package ships no types; these are the parts used here.

declare module 'utf7' {
  const utf7: {
    /** RFC 2152 with only the set D left as it is; a `+` becomes `+-`. */
    encode(text: string): string;
    /** RFC 3501 (IMAP) modified UTF-7: `&` shifts, `,` stands for `/`. */
    imap: { decode(text: string): string };
  };
  export default utf7;
}
