import type { Static } from '@sinclair/typebox'
import { notFound } from '../../base/errors.ts'
import type { SharedParts } from '../../db/stored.ts'
import { eachNumber } from '../../engine/numbers.ts'
import { shownMovingTimeS } from '../../engine/run/shown-time.ts'
import { roundHalfUp } from '../../engine/units.ts'
import type { Deps } from '../../library/deps.ts'
import { elevationOptions } from '../../library/inputs.ts'
import { shownName, trimming } from '../../library/places.ts'
import { storedTrack } from '../../library/recordings.ts'
import { splitUnitM, unitPreference } from '../../library/settings.ts'
import { localTime } from '../downloads/names.ts'
import { runRow, vague, withoutFigures } from '../downloads/run-file.ts'
import { mayBeSmaller } from '../media/pictures.ts'
import { listMedia, type MediaObject } from '../media/queries.ts'
import { nearest } from '../workouts/samples/samples.ts'
import type { SharedView } from './schemas.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'log' | 'worker' | 'jwtSecret'>

const MOST_PHOTOS = 24

/**
 * A run as others see it (docs/ways.md K): everything that pages and pictures of it show. Of a run of which something is
 * hidden it is the rest alone.
 * @throws AppError 404
 */
export async function seenByOthers(deps: Needs, id: string, show: SharedParts): Promise<Static<typeof SharedView>> {
  const { db, worker } = deps
  const row = runRow(db, id)
  if (row === null) throw notFound('Workout')
  const stored = storedTrack(db, id)
  const unitM = splitUnitM(unitPreference(db))
  const part = await nearest(worker, stored).ask('sharedRun', {
    stored,
    trim: trimming(db, deps)?.(id) ?? null,
    elevation: elevationOptions(deps),
    splitLengthM: unitM,
  })
  const photos = show.photos ? await photosForOthers(deps, id) : []
  const { isTrimmed, own, path, columns, splits } = part
  const { name, notes, startedAt } = isTrimmed ? vague({ ...row, startedAt: own?.startMs ?? row.startedAt }) : row
  // its totals are those of the whole run, rounded, which a pace or a climb would sharpen
  const isAllHidden = isTrimmed && own === null
  const numbers = own?.numbers ?? eachNumber((number) => row[number])
  const shownText = shownName(db)
  const captions = (caption: string | null) => shownText(isTrimmed ? withoutFigures(caption) : caption)
  const [date = '', time = ''] = localTime(startedAt, row.utcOffsetMinutes).split('T')
  const distanceM = numbers.distanceM ?? 0
  const durationS = numbers.durationS ?? 0
  const timeS = (row.runType === 'Race' ? null : shownMovingTimeS({ ...numbers, durationS })) ?? durationS
  return {
    name: shownText(name),
    date,
    time: show.startTime ? time.slice(0, 5) : null,
    notes: show.notes ? shownText(notes) : null,
    isTrimmed,
    distanceM: isTrimmed ? roundHalfUp(roundHalfUp((10 * distanceM) / unitM) * (unitM / 10), 2) : distanceM,
    timeS: isTrimmed ? 60 * roundHalfUp(timeS / 60) : timeS,
    paceS: show.pace && !isAllHidden && distanceM > 0 && timeS > 0 ? roundHalfUp((1000 * timeS) / distanceM) : null,
    elevGainM: isAllHidden ? null : numbers.elevGainM,
    avgHeartRateBpm: show.heartRate ? numbers.avgHeartRateBpm : null,
    route:
      show.map && path !== null ? { type: 'LineString' as const, coordinates: path.map((spot) => [...spot]) } : null,
    series: columns && {
      distanceM: columns.distanceM && [...columns.distanceM],
      elevationM: columns.elevationM && [...columns.elevationM],
      paceS: show.pace && columns.paceS ? [...columns.paceS] : null,
      heartRateBpm: show.heartRate && columns.heartRateBpm ? [...columns.heartRateBpm] : null,
    },
    splits: show.pace
      ? splits.map((split) => ({ distanceM: split.distanceM, durationS: split.durationS, paceS: split.paceS }))
      : [],
    photos: photos.map(({ caption }) => ({ caption: captions(caption) })),
  }
}

/** The photos that a page for others shows, in their order. @throws AppError 404 */
export async function photosForOthers(deps: Needs, id: string): Promise<readonly MediaObject[]> {
  const { db, worker } = deps
  // types that cannot be decoded here would keep what their files say of places
  const photos = (await listMedia(deps, id)).filter(({ mimeType }) => mayBeSmaller(mimeType))
  const trim = trimming(db, deps)?.(id) ?? null
  const stored = storedTrack(db, id)
  if (trim === null || photos.length === 0) return photos.slice(0, MOST_PHOTOS)
  const places = photos.map(({ id: photo, lat, lon }) => ({ id: photo, lat, lon }))
  const { ids } = await nearest(worker, stored).ask('sharedPhotos', { stored, trim, photos: places })
  return photos.filter(({ id: photo }) => ids.includes(photo)).slice(0, MOST_PHOTOS)
}
