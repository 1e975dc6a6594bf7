import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy'
import { invalid } from '../base/errors.ts'
import { printableName } from '../base/texts.ts'
import { chunksOf, refuseDeclaredUpload } from './body-limits.ts'
import { baseName } from './file-names.ts'
import { bodyHasher, claimKey } from './idempotency.ts'
import { Spool, type SpooledFile, type UploadOptions } from './spool.ts'

export interface UploadedFile extends SpooledFile {
  /** The base name that the client sends, without control and direction characters; `upload` when it sends none. */
  readonly filename: string
}

export interface Upload {
  /** Every file part, in order, whatever its field name; empty when there is none. */
  readonly files: readonly UploadedFile[]
  /** The other parts; of repeated names the first. */
  readonly fields: ReadonlyMap<string, string>
  /** Removes the temporary files; a file that was linked elsewhere keeps its other name. */
  dispose(): Promise<void>
}

interface FormOptions extends UploadOptions {
  /** Waited for before a file is received. */
  readonly begun?: () => Promise<void>
}

const LIMITS = {
  fields: 100,
  fieldSize: 65_536,
  fieldNameSize: 200,
  parts: 20_000,
  headerPairs: 100,
  headerSize: 16_384,
}

/**
 * The route option `parse` of a multipart route: refuses an upload of a declared size that is too large before anything
 * else is checked, and leaves reading the body to `readUpload` in the handler.
 */
export function uploadLimit(maxBytes: number): { readonly parse: [(context: { request: Request }) => null] } {
  return {
    parse: [
      ({ request }) => {
        refuseDeclaredUpload(request, maxBytes)
        // undefined would make Elysia read the body itself
        return null
      },
    ],
  }
}

/**
 * Reads a multipart body without holding it in memory: file parts are written to temporary files with back-pressure, so
 * that 500 MB need no more memory than 5. After a refusal, or when the client disconnects, no file remains.
 * @throws AppError 413 as soon as the file parts exceed their limit; 400 for a body that is not multipart, or incomplete
 */
export async function readUpload(request: Request, options: FormOptions): Promise<Upload> {
  refuseDeclaredUpload(request, options.maxBytes + (options.maxZipBytes ?? 0))
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^\s*multipart\/form-data\s*;.*boundary=/i.test(contentType) || request.body === null) {
    throw invalid('The request body must be multipart/form-data')
  }
  const hasher = bodyHasher(request)
  const form = new Form(options, hasher !== null)
  try {
    await form.receive(request.body, contentType.trim(), options.signal)
    for (const part of form.parts()) hasher?.update(`${JSON.stringify(part)}\n`)
    claimKey(request, hasher)
    return form.upload()
  } catch (error) {
    await form.dispose()
    throw error
  }
}

/** The parts of an upload received so far. */
class Form {
  readonly #spool: Spool
  readonly #begun: () => Promise<void>
  readonly #files: UploadedFile[] = []
  readonly #fields = new Map<string, string>()
  readonly #streams: BusboyFileStream[] = []
  readonly #stored: Promise<void>[] = []
  readonly #isHashed: boolean
  /** Name and content of the parts; a boundary is another one each time. */
  readonly #parts: (() => readonly string[])[] = []

  constructor(options: FormOptions, isHashed: boolean) {
    this.#isHashed = isHashed
    this.#spool = new Spool(options)
    this.#begun = options.begun ?? (() => Promise.resolve())
  }

  upload(): Upload {
    const files = this.#files.filter((file) => file !== undefined)
    return { files, fields: this.#fields, dispose: () => this.dispose() }
  }

  /** What two forms have in common that are the same; of files the hash. */
  parts(): (readonly string[])[] {
    return this.#parts.map((part) => part())
  }

  async dispose(): Promise<void> {
    // a part that the parser never ended would be awaited forever
    for (const stream of this.#streams) stream.destroy()
    await Promise.allSettled(this.#stored)
    await this.#spool.dispose()
  }

  async receive(body: ReadableStream<Uint8Array>, contentType: string, signal?: AbortSignal): Promise<void> {
    const failure = Promise.withResolvers<never>()
    failure.promise.catch(() => {})
    const leave = () => failure.reject(signal?.reason)
    signal?.addEventListener('abort', leave)
    const parser = await parserOf(contentType)
    const done = new Promise<void>((resolve) => parser.on('finish', resolve))
    parser.on('error', () => failure.reject(invalid('The multipart body is cut short or malformed')))
    parser.on('partsLimit', () => failure.reject(invalid(`An upload must not have more than ${LIMITS.parts} parts`)))
    parser.on('fieldsLimit', () => failure.reject(invalid(`An upload must not have more than ${LIMITS.fields} fields`)))
    parser.on('field', (name, value, _nameTruncated, truncated) => {
      this.#parts.push(() => [name, value])
      if (truncated)
        failure.reject(
          invalid(`The field ${printableName(name)} exceeds ${LIMITS.fieldSize} bytes`, { field: printableName(name) }),
        )
      else if (!this.#fields.has(name)) this.#fields.set(name, value)
    })
    let index = 0
    parser.on('file', (field, stream, filename) => {
      const hasher = this.#isHashed ? new Bun.CryptoHasher('sha256') : null
      this.#parts.push(() => [field, filename ?? '', hasher?.digest('hex') ?? ''])
      this.#streams.push(stream)
      // one that is cut short, perhaps before it is read; the parser says so itself
      stream.on('error', () => {})
      const stored = this.#store(hashed(stream, hasher), baseName(filename), index++)
      stored.catch(failure.reject)
      this.#stored.push(stored)
    })
    try {
      await Promise.race([this.#feed(body, parser, failure.promise), failure.promise])
      await Promise.race([done.then(() => Promise.all(this.#stored)), failure.promise])
    } finally {
      signal?.removeEventListener('abort', leave)
      parser.destroy()
    }
  }

  /** Waits for the parser when it is full, so that a slow disk slows down the client. */
  async #feed(body: ReadableStream<Uint8Array>, parser: BusboyInstance, failed: Promise<never>): Promise<void> {
    for await (const chunk of chunksOf(body)) {
      if (parser.write(chunk)) continue
      await Promise.race([new Promise<void>((resolve) => parser.once('drain', resolve)), failed])
    }
    parser.end()
  }

  async #store(stream: AsyncIterable<Uint8Array>, filename: string, index: number): Promise<void> {
    if (filename !== '') await this.#begun()
    const file = await this.#spool.store(stream)
    // a form field of type file that was left empty
    if (filename === '' && file.size === 0) return
    this.#files[index] = { filename: filename === '' ? 'upload' : filename, ...file }
  }
}

/** The pieces, which the hash takes as they pass. */
async function* hashed(chunks: AsyncIterable<Uint8Array>, hasher: Bun.CryptoHasher | null): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hasher?.update(chunk)
    yield chunk
  }
}

/** Loads the parser at the first upload: with Node's streams it would add 5 MB to an idle service. */
async function parserOf(contentType: string): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: LIMITS,
      // some clients name a file only in a form that this parser does not read, but state its type
      isPartAFile: (_field, type, filename) => filename !== undefined || (type !== undefined && type !== 'text/plain'),
    })
  } catch {
    throw invalid('The request body must be multipart/form-data with a boundary')
  }
}

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
    const hasher = bodyHasher(request)
    hasher?.update(`${name ?? ''}\n`)
    const file = await spool.store(hashed(chunksOf(request.body), hasher))
    if (file.size === 0) throw empty()
    claimKey(request, hasher)
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
