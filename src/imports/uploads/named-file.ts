import { createGunzip } from 'node:zlib'
import { isGzip } from '../../formats/gzip.ts'
import { detectFormat, HEAD_BYTES } from '../../formats/registry.ts'
import type { Upload, UploadedFile } from '../../http/multipart.ts'
import { readRawUpload } from '../../http/raw-upload.ts'
import type { Receive } from '../door.ts'

/** Receives a body that is a single file; without a name it is named by its content: `upload.fit`. */
export function receiveFile(request: Request, name: string | null): Receive {
  return async (options) => {
    const upload = await readRawUpload(request, name, options)
    try {
      return await named(upload)
    } catch (error) {
      await upload.dispose()
      throw error
    }
  }
}

async function named(upload: Upload): Promise<Upload> {
  const files = await Promise.all(
    upload.files.map(async (file) => (file.filename === '' ? { ...file, filename: await nameByContent(file) } : file)),
  )
  return { ...upload, files }
}

async function nameByContent(file: UploadedFile): Promise<string> {
  const head = file.path === null ? await file.bytes() : await Bun.file(file.path).slice(0, HEAD_BYTES).bytes()
  const isPacked = isGzip(head)
  const unpacked = isPacked ? await unpackedHead(head) : head.subarray(0, HEAD_BYTES)
  // with a .csv name every text, even JSON, would be recognised as a table
  const isTable = /^[^\r\n{[<]*[,;\t]/.test(new TextDecoder().decode(unpacked.subarray(0, 1024)))
  const type = detectFormat(unpacked, isTable ? 'upload.csv' : '')?.type
  return type === undefined ? 'upload' : `upload.${type}${isPacked ? '.gz' : ''}`
}

/** The bytes that decide the format; fewer when the file is cut or damaged. */
async function unpackedHead(packed: Uint8Array): Promise<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: HEAD_BYTES })
  try {
    gunzip.end(packed)
    for await (const chunk of gunzip) return chunk as Uint8Array
  } catch {
    // the import reports what is wrong with it
  } finally {
    gunzip.destroy()
  }
  return new Uint8Array(0)
}
