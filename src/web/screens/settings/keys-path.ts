/** Where API keys are listed and made. */
export const KEYS = '/auth/api-keys'
