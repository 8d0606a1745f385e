// What an API token is for, so that tokens of the same user can be told apart. Null for one of a sign-in.

export const tokenNames = `
ALTER TABLE api_tokens ADD COLUMN name TEXT;
`;
