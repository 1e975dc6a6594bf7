import { notFound } from '../../../base/errors.ts'
import type { Deps } from '../../../library/deps.ts'
import { workoutExists } from '../../../library/ids.ts'
import { storedTrack } from '../../../library/recordings.ts'
import { nearest } from './samples.ts'

/**
 * One page of the samples with a heart rate, by elapsed time, then as recorded. A long track is processed by the
 * Worker.
 * @throws AppError 404 for an unknown workout and for a page past the end (the first page always exists)
 */
export async function timeSeries(
  { db, worker }: Pick<Deps, 'db' | 'worker'>,
  id: string,
  asked: { readonly page: number; readonly pageSize: number },
) {
  if (!workoutExists(db, id)) throw notFound('Workout')
  const stored = storedTrack(db, id)
  const { items, totalCount } =
    stored === null
      ? { items: [], totalCount: 0 }
      : (await nearest(worker, stored).ask('heartRates', { ...stored, ...asked })).found
  const { page, pageSize } = asked
  const totalPages = Math.ceil(totalCount / pageSize)
  if (page > Math.max(totalPages, 1)) throw notFound('Page')
  return { items: [...items], page, pageSize, totalCount, totalPages }
}
