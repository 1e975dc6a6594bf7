import type { FileType } from '../../db/stored.ts'
import { makeRawFolder, placeBytes, placeLink, rawDataPath, rawFilePath, rawFolder, syncFile } from './paths.ts'

/** The file a run was read out of. */
export interface Original {
  readonly name: string
  readonly type: FileType
  /** SHA-256 of the unpacked bytes. */
  readonly sha256: string
  /** Place of the run in the file. */
  readonly session: number
  /** The path of a file on the file system of DATA_DIR, which gets a second name, or its bytes in memory. */
  readonly bytes: string | (() => Promise<Uint8Array>)
}

interface OfRecording {
  readonly id: string
  /** null: it came without one. */
  readonly original: Pick<Original, 'bytes'> | null
  /** What was read out of it, zstd of JSON. */
  readonly rawData: Uint8Array | null
}

/** The files of a new recording, in their places and on the disk; the name is nobody else's. */
export async function placeRunFiles(dataDir: string, { id, original, rawData }: OfRecording): Promise<void> {
  if (original === null && rawData === null) return
  await makeRawFolder(dataDir)
  if (original !== null) await placeOriginal(dataDir, rawFilePath(dataDir, id), original.bytes)
  if (rawData !== null) await placeBytes(dataDir, rawDataPath(dataDir, id), rawData)
  else await syncFile(rawFolder(dataDir))
}

async function placeOriginal(dataDir: string, path: string, bytes: Original['bytes']): Promise<void> {
  if (typeof bytes !== 'string') return await placeBytes(dataDir, path, await bytes())
  await placeLink(bytes, path)
  await syncFile(path)
}
