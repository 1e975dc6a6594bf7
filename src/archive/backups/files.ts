import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { codeOf } from '../../base/errors.ts'
import { type Stored, UNFINISHED } from './manifest.ts'

/** Reads piece by piece, since a file may be larger than memory. @throws Error of the system, and of `write` */
export async function contentOf(from: Blob, write: (piece: Uint8Array) => void = () => {}): Promise<Stored> {
  const hash = new Bun.CryptoHasher('sha256')
  let bytes = 0
  for await (const piece of from.stream()) {
    hash.update(piece)
    bytes += piece.length
    write(piece)
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Copies so that under its name a file is complete, and on the disk. A failure leaves nothing. */
export async function copyWhole(from: Blob, path: string): Promise<Stored> {
  const unfinished = path + UNFINISHED
  try {
    const file = openSync(unfinished, 'w', 0o600)
    try {
      const copied = await contentOf(from, (piece) => {
        for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at)
      })
      fsyncSync(file)
      renameSync(unfinished, path)
      return copied
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    try {
      rmSync(unfinished, { force: true })
    } catch {
      // the cause says more
    }
    throw cause
  }
}

/**
 * Reads something stored.
 * @param copy where a copy of it is made; absent: none is
 * @returns whether it is what was stored; false, too, when it is missing
 */
export async function isWhole(path: string, { bytes, sha256 }: Stored, copy?: string): Promise<boolean> {
  try {
    const from = Bun.file(path)
    const found = copy === undefined ? await contentOf(from) : await copyWhole(from, copy)
    return found.bytes === bytes && found.sha256 === sha256
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && !existsSync(path)) return false
    throw error
  }
}

/** Waits until the names in a folder are on the disk, where the file system can say so: SMB and Windows cannot. */
export function syncNames(folder: string): void {
  try {
    const file = openSync(folder, 'r')
    try {
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    // what was written has been synced; only its name may be lost, and then it does not count
  }
}
