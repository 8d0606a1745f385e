// What the text editor opens: plain text to edit, and a few types that browsers can show. Documents of other types open if their
// content is text (app/editors/choose-for-file.ts), so the list doesn't need every programming language.

/** Types by the name of their `app` element in discovery. */
export const editedTypes: Readonly<Record<string, readonly string[]>> = {
  Text: words(`
    txt text log md markdown mdown mdx rst adoc asciidoc org textile tex ltx sty cls bib srt vtt sub lrc nfo
    diff patch po pot ics vcf eml`),
  Data: words(`
    csv tsv tab json json5 jsonc jsonl ndjson geojson ipynb webmanifest yaml yml toml xml xsd xsl xslt dtd svg rss atom
    opml gpx kml plist ini cfg conf config cnf properties env editorconfig gitignore gitattributes dockerignore htaccess
    desktop service reg url lock list map sql proto graphql gql pem asc`),
  Code: words(`
    html htm xhtml css scss sass less js mjs cjs jsx ts mts cts tsx vue svelte astro ejs hbs mustache pug njk liquid twig
    j2 tmpl sh bash zsh fish ksh bat cmd ps1 psm1 psd1 awk vim el lisp scm clj cljs cljc edn py pyi pyw rb rake gemspec
    go rs java kt kts scala groovy gradle c h cc cpp cxx hh hpp hxx ino m mm swift cs fs fsx vb pas lua pl pm php phtml
    jsp cshtml erb r rmd jl hs lhs elm ml mli re ex exs erl hrl nim zig sv vhd asm f90 ada sol dart coffee tcl qml
    cmake mk gnuplot puml mmd feature nix hcl tf tfvars bicep glsl vert frag hlsl wgsl gd http dockerfile makefile`),
};

/** Shown but never edited: they couldn't be saved without losses. */
export const viewedTypes: Readonly<Record<string, readonly string[]>> = {
  'Document preview': ['docx'],
  PDF: ['pdf'],
  Image: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp'],
};

function words(text: string): string[] {
  return text.trim().split(/\s+/u);
}
