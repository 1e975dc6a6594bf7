import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BusboyFileStream, BusboyInstance } from '@fastify/busboy'
import { invalid } from '../errors.ts'
import { createCollector } from '../garbage.ts'
import { printableName } from '../texts.ts'
import { chunksOf, refuseDeclaredUpload, uploadTooLarge } from './body-limits.ts'

/** One file part of an upload. */
export interface UploadedFile {
  /** The base name the client gave, without control and direction characters; `upload` when it gave none. */
  readonly filename: string
  /** Bytes. */
  readonly size: number
  /** A temporary file that holds the bytes, or null for a small part, which is kept in memory. */
  readonly path: string | null
  bytes(): Promise<Uint8Array>
}

export interface Upload {
  /** Every file part, in order, whatever its field is called; empty when none was sent. */
  readonly files: readonly UploadedFile[]
  /** The other parts; of a repeated one the first. */
  readonly fields: ReadonlyMap<string, string>
  /** Removes the temporary files; a file that was linked elsewhere stays there. */
  dispose(): Promise<void>
}

export interface UploadOptions {
  /** Largest sum of all file parts, bytes. */
  readonly maxBytes: number
  /** An existing folder on the file system that the files end up on. */
  readonly tmpDir: string
}

/** A part up to this size stays in memory, as long as all such parts together stay below the budget. */
const SMALL_FILE_BYTES = 262_144
const MEMORY_BUDGET_BYTES = 4_194_304
/** Of an upload, between two collections of 10 to 20 ms. */
const COLLECTED_BYTES = 33_554_432
const LIMITS = {
  fields: 100,
  fieldSize: 65_536,
  fieldNameSize: 200,
  parts: 20_000,
  headerPairs: 100,
  headerSize: 16_384,
}

/**
 * The route option `parse` of a multipart route: refuses an upload that announces too much before anything else is
 * looked at, and leaves the body to `readUpload` in the handler.
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
 * Reads a multipart body without holding it: file parts stream to temporary files with back-pressure, so that 500 MB
 * cost no more memory than 5. After a refusal or when the client goes away nothing is left behind.
 * @throws AppError 413 as soon as the file parts exceed `maxBytes`; 400 for a body that is not multipart, or cut short
 */
export async function readUpload(request: Request, options: UploadOptions): Promise<Upload> {
  refuseDeclaredUpload(request, options.maxBytes)
  const contentType = request.headers.get('content-type') ?? ''
  if (!/^\s*multipart\/form-data\s*;.*boundary=/i.test(contentType) || request.body === null) {
    throw invalid('The request body must be multipart/form-data')
  }
  const spool = new Spool(options)
  try {
    await spool.receive(request.body, contentType.trim())
    return spool.upload()
  } catch (error) {
    await spool.dispose()
    throw error
  }
}

/** What has arrived of one upload. */
class Spool {
  readonly #options: UploadOptions
  readonly #files: UploadedFile[] = []
  readonly #fields = new Map<string, string>()
  readonly #paths: string[] = []
  readonly #streams: BusboyFileStream[] = []
  readonly #stored: Promise<void>[] = []
  #receivedBytes = 0
  #heldBytes = 0
  /** What has arrived is garbage as soon as it is written, which the collector would let gather to 40 MB and more. */
  readonly #collect = createCollector(COLLECTED_BYTES)

  constructor(options: UploadOptions) {
    this.#options = options
  }

  upload(): Upload {
    const files = this.#files.filter((file) => file !== undefined)
    return { files, fields: this.#fields, dispose: () => this.dispose() }
  }

  async dispose(): Promise<void> {
    // a part that the parser never ended would be waited for without end
    for (const stream of this.#streams) stream.destroy()
    await Promise.allSettled(this.#stored)
    await Promise.all(this.#paths.map((path) => rm(path, { force: true })))
  }

  async receive(body: ReadableStream<Uint8Array>, contentType: string): Promise<void> {
    const failure = Promise.withResolvers<never>()
    failure.promise.catch(() => {})
    const parser = await parserOf(contentType)
    const done = new Promise<void>((resolve) => parser.on('finish', resolve))
    parser.on('error', () => failure.reject(invalid('The multipart body is cut short or malformed')))
    parser.on('partsLimit', () => failure.reject(invalid(`An upload must not have more than ${LIMITS.parts} parts`)))
    parser.on('fieldsLimit', () => failure.reject(invalid(`An upload must not have more than ${LIMITS.fields} fields`)))
    parser.on('field', (name, value, _nameTruncated, truncated) => {
      if (truncated) failure.reject(invalid(`The field ${printableName(name)} exceeds ${LIMITS.fieldSize} bytes`))
      else if (!this.#fields.has(name)) this.#fields.set(name, value)
    })
    let index = 0
    parser.on('file', (_field, stream, filename) => {
      this.#streams.push(stream)
      const stored = this.#store(stream, baseName(filename), index++)
      stored.catch(failure.reject)
      this.#stored.push(stored)
    })
    try {
      await Promise.race([this.#feed(body, parser, failure.promise), failure.promise])
      await Promise.race([done.then(() => Promise.all(this.#stored)), failure.promise])
    } finally {
      parser.destroy()
    }
  }

  /** Waits for the parser whenever it is full: a slow disk then slows down the client. */
  async #feed(body: ReadableStream<Uint8Array>, parser: BusboyInstance, failed: Promise<never>): Promise<void> {
    for await (const chunk of chunksOf(body)) {
      if (parser.write(chunk)) continue
      await Promise.race([new Promise<void>((resolve) => parser.once('drain', resolve)), failed])
    }
    parser.end()
  }

  async #store(stream: BusboyFileStream, filename: string, index: number): Promise<void> {
    let held: Uint8Array[] = []
    let size = 0
    let handle: FileHandle | null = null
    let path: string | null = null
    try {
      for await (const data of stream) {
        const chunk: Uint8Array = data
        size += chunk.byteLength
        this.#receivedBytes += chunk.byteLength
        if (this.#receivedBytes > this.#options.maxBytes) throw uploadTooLarge(this.#options.maxBytes)
        if (handle === null) {
          held.push(chunk)
          this.#heldBytes += chunk.byteLength
          if (size <= SMALL_FILE_BYTES && this.#heldBytes <= MEMORY_BUDGET_BYTES) continue
          path = join(this.#options.tmpDir, crypto.randomUUID())
          this.#paths.push(path)
          handle = await open(path, 'wx', 0o600)
          await writeAll(handle, Buffer.concat(held))
          this.#heldBytes -= size
          held = []
        } else await writeAll(handle, chunk)
        this.#collect(chunk.byteLength)
      }
    } finally {
      await handle?.close()
    }
    // a form field of type file that the person left empty
    if (filename === '' && size === 0) return
    const bytes = path === null ? Buffer.concat(held) : null
    this.#files[index] = { filename: filename === '' ? 'upload' : filename, size, path, bytes: bytesOf(path, bytes) }
  }
}

/** The parser is loaded with the first upload: with Node's streams it would be 5 MB of a service at rest. */
async function parserOf(contentType: string): Promise<BusboyInstance> {
  const { Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: LIMITS,
      // some clients name a file only in the form that this parser does not read, but they state its type
      isPartAFile: (_field, type, filename) => filename !== undefined || (type !== undefined && type !== 'text/plain'),
    })
  } catch {
    throw invalid('The request body must be multipart/form-data with a boundary')
  }
}

/** A file handle may write less than it was given. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.byteLength; ) {
    offset += (await handle.write(bytes, offset, bytes.byteLength - offset)).bytesWritten
  }
}

function bytesOf(path: string | null, bytes: Uint8Array | null): () => Promise<Uint8Array> {
  return async () => {
    if (bytes !== null) return bytes
    return path === null ? new Uint8Array(0) : await Bun.file(path).bytes()
  }
}

/** The last segment of what the client calls its file; browsers write a quote in it as %22, .NET encodes by RFC 2047. */
function baseName(filename: string | undefined): string {
  const encoded = /^=\?utf-8\?B\?([A-Za-z0-9+/=]+)\?=$/i.exec(filename ?? '')?.[1]
  const name = encoded === undefined ? (filename ?? '') : Buffer.from(encoded, 'base64').toString('utf8')
  return printableName(name.replaceAll('%22', '"').split(/[\\/]/).at(-1) ?? '')
}
