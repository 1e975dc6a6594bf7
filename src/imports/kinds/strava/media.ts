import { join } from 'node:path'
import type { MediaItem } from '../../../features/media/exported.ts'
import type { Deps } from '../../../library/deps.ts'
import { unpacked } from '../../../zip/unpack.ts'
import type { StravaZip } from './zip.ts'

/** A photo or video that a row names. @throws ZipError when the export does not have it */
export function mediaItem({ config }: Deps, source: StravaZip, named: string): MediaItem {
  const entry = source.entry(named)
  const file = async (maxBytes: number) => {
    const path = await unpacked(source.zip, entry, { tmpDir: join(config.dataDir, 'tmp'), maxBytes })
    return { size: entry.size, path, bytes: () => Bun.file(path).bytes() }
  }
  return { filename: entry.name, caption: source.caption(named), size: entry.size, file }
}
