import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import type { UnpackedFile } from '../../features/media/exported.ts'
import { smallZip } from '../../formats/small-zip.ts'
import type { TakeoutSource } from './kind.ts'

const deflated = promisify<Uint8Array, Buffer>(deflateRaw)

/** Bytes that are deflated in less time than another thread takes to begin. */
const SMALL_BYTES = 16_384

/** A temporary ZIP of the parts of a run; large ones are deflated on another thread. */
export async function packedFile(
  { written }: Pick<TakeoutSource, 'written'>,
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<UnpackedFile> {
  const packed = []
  for (const file of files) {
    packed.push(file.bytes.length < SMALL_BYTES ? file : { ...file, packed: await deflated(file.bytes) })
  }
  return await written(smallZip(packed))
}
