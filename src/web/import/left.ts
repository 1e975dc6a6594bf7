/** Storage key of files whose import was in progress when a page was left. */
export const LEFT = 'harrier.left'
