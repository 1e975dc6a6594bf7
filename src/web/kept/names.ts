/** In localStorage, once wanted: for whom answers are kept on this device, and which. */
export const KEPT_KEY = 'harrier.kept'
export const KEPT_CACHE = 'harrier-answers'
