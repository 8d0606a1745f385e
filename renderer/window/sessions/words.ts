// What an access token is good for, in words.

export const modeWords = { edit: 'Edit', view: 'View' } as const;
