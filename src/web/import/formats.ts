// The file formats that the service reads; it writes them into the page (src/page/build.ts).
const stated = document.querySelector<HTMLMetaElement>('meta[name="formats"]')

/** `GPX, FIT, TCX or CSV` */
export const FORMAT_NAMES = stated?.content ?? ''

/** File extensions of these formats, without the dot, in lower case. */
export const EXTENSIONS: readonly string[] = (stated?.dataset.extensions ?? '').split(' ')
