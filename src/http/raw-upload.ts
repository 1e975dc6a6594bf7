import { invalid } from '../base/errors.ts'
import { chunksOf, refuseDeclaredUpload } from './body-limits.ts'
import { baseName } from './file-names.ts'
import type { Upload } from './multipart.ts'
import { Spool, type UploadOptions } from './spool.ts'

/** Most characters of a name in an address or a header; archives do not carry longer ones. */
const NAME_LENGTH = 200

/** The route option `parse` of a route whose handler reads the body itself. */
export const UNREAD: { readonly parse: [() => null] } = { parse: [() => null] }

/** Whether a body is a multipart form, whose parts are the files. */
export function isForm(request: Request): boolean {
  return /^\s*multipart\/form-data\b/i.test(request.headers.get('content-type') ?? '')
}

/**
 * Reads a body that is a single file of any content type; like multipart it is never held in memory as a whole.
 * @param name that the client sends; null: none, and the name is empty
 * @throws AppError 413 as soon as it is too large; 400 for an empty or incomplete one
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
