import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { workoutExists } from '../library/add-workout.ts'
import { storedTrack } from '../library/recordings.ts'
import { computed, trackOf } from '../workers/compute.ts'
import { heartRatePage } from '../workers/heart-rate-page.ts'
import { isLong } from './samples.ts'

/**
 * One page of the samples with a heart rate, by elapsed time, then as recorded. A long track is processed by the
 * Worker.
 * @throws AppError 404 for an unknown workout and for a page past the end (the first page always exists)
 */
export async function timeSeries(
  { db, analyzer }: Pick<Deps, 'db' | 'analyzer'>,
  id: string,
  asked: { readonly page: number; readonly pageSize: number },
) {
  if (!workoutExists(db, id)) throw notFound('Workout')
  const stored = storedTrack(db, id)
  const found = async () => {
    if (stored === null) return { items: [], totalCount: 0 }
    if (!isLong(stored)) return heartRatePage(trackOf(stored), asked)
    return (await computed(analyzer, { what: 'heartRates', ...stored, ...asked })).found
  }
  const { items, totalCount } = await found()
  const { page, pageSize } = asked
  const totalPages = Math.ceil(totalCount / pageSize)
  if (page > Math.max(totalPages, 1)) throw notFound('Page')
  return { items: [...items], page, pageSize, totalCount, totalPages }
}
