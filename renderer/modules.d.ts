// What a bundler makes of a stylesheet: nothing that can be imported by name.

declare module '*.css' {}
