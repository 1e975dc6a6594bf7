import { ZipError } from '../../zip/zip-error.ts'
import { editedFiles } from '../format/data-rows.ts'
import { openedArchive } from '../restore/restore.ts'

/** Result of reading an archive once. */
interface ReadFindings {
  /** What it contains, as a sentence. */
  readonly summary: string
  /** Reasons why it would not be restored completely, one sentence each; empty: it would. */
  readonly problems: readonly string[]
}

const COUNTED = ['shoes', 'workouts', 'routes', 'splits', 'timeSeries', 'mediaFiles', 'bestEfforts'] as const
const MOST_PROBLEMS = 100

/**
 * Reads every byte of an archive that was just written: the sums of the data files, and the checksums of all others. It
 * takes seconds and no disk space; `verifyArchive` checks what a restore would make of it.
 * @throws Error when it is not an archive that could be restored
 */
export async function readArchive(path: string): Promise<ReadFindings> {
  await using archive = await openedArchive(path)
  const { zip, manifest } = archive
  const edited = await editedFiles(archive, () => {})
  const problems = (edited ?? ['manifest.json']).map((name) => `${name} is not as it was written`)
  let [files, bytes] = [0, 0]
  for (const entry of zip.entries()) {
    if (entry.isFolder || entry.name.startsWith('data/')) continue
    if (entry.name.startsWith('workouts/')) files += 1
    try {
      for await (const piece of zip.read(entry, { maxBytes: Number.POSITIVE_INFINITY })) bytes += piece.length
    } catch (error) {
      if (!(error instanceof ZipError)) throw error
      problems.push(`${entry.name}: ${error.message}`)
    }
  }
  const rows = COUNTED.map((kind) => `${manifest.statistics[kind] ?? 0} ${kind}`)
  return {
    summary: `${rows.join(', ')}; ${files} originals and photos, ${bytes} bytes beside the data`,
    problems: problems.slice(0, MOST_PROBLEMS),
  }
}
