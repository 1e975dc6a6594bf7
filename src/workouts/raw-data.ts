/** The three raw objects of CONTRACT 11, each null when the workout has none. */
export interface RawData {
  readonly rawGpxData: unknown
  readonly rawFitData: unknown
  readonly rawStravaData: unknown
}

/**
 * The stored JSON text of a workout's raw data, unparsed, so that a detail answer can take it in as it is.
 * @returns null when the workout has none or the file is lost
 */
export async function rawDataText(path: string): Promise<string | null> {
  const file = Bun.file(path)
  if (!(await file.exists())) return null
  return new TextDecoder().decode(Bun.zstdDecompressSync(await file.bytes()))
}

/** What is stored, with the members it lacks taken from a later import; zstd again. */
export async function mergeRawData(path: string, fresh: Uint8Array): Promise<Uint8Array> {
  const stored = await rawDataText(path)
  if (stored === null) return fresh
  const old: RawData = JSON.parse(stored)
  const added: RawData = JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(fresh)))
  const merged: RawData = {
    rawGpxData: old.rawGpxData ?? added.rawGpxData,
    rawFitData: old.rawFitData ?? added.rawFitData,
    rawStravaData: old.rawStravaData ?? added.rawStravaData,
  }
  return Bun.zstdCompressSync(new TextEncoder().encode(JSON.stringify(merged)), { level: 3 })
}
