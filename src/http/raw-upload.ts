import { invalid } from '../errors.ts'
import { chunksOf, refuseDeclaredUpload } from './body-limits.ts'
import { baseName } from './file-names.ts'
import type { Upload } from './multipart.ts'
import { Spool, type UploadOptions } from './spool.ts'

/** Of a name that stands in an address or a header; archives carry no longer ones. */
const NAME_LENGTH = 200

/** The route option `parse` of a route that reads its body itself, in the handler. */
export const UNREAD: { readonly parse: [() => null] } = { parse: [() => null] }

/** Whether a body is a form, whose parts are the files. */
export function isForm(request: Request): boolean {
  return /^\s*multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')
}

/**
 * A body that is one file, of whatever type it says it is; like a multipart one it is never held in memory as a whole.
 * @param name as the client calls it; null: it does not, and the name is empty
 * @throws AppError 413 as soon as it is too large; 400 for an empty one, or one that is cut short
 */
export async function readRawUpload(request: Request, name: string | null, options: UploadOptions): Promise<Upload> {
  refuseDeclaredUpload(request, options.maxBytes)
  const spool = new Spool(options)
  try {
    if (request.body === null) throw empty()
    const file = await spool.store(chunksOf(request.body))
    if (file.size === 0) throw empty()
    const filename = [...baseName(name ?? '')].slice(0, NAME_LENGTH).join('')
    return { files: [{ filename, ...file }], fields: new Map(), dispose: () => spool.dispose() }
  } catch (error) {
    await spool.dispose()
    throw error
  }
}

function empty() {
  return invalid('The request body is empty; it must be one workout file')
}
