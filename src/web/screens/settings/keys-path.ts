/** Path of the calls for API keys. */
export const KEYS = '/auth/api-keys'
