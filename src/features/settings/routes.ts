import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Config } from '../../base/config.ts'
import { invalid } from '../../base/errors.ts'
import { lastBackup } from '../../base/last-backup.ts'
import type { Db, Tx } from '../../db/open.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
import { call } from '../../http/call.ts'
import { json } from '../../http/json.ts'
import { countFound, FOUND_DAYS } from '../../library/collect.ts'
import type { Deps } from '../../library/deps.ts'
import { missingFiles } from '../../library/files/missing.ts'
import {
  changeSettings,
  pageSettings,
  secondRecording,
  trimEndsM,
  unitPreference,
  weatherLookups,
} from '../../library/settings.ts'
import {
  BackupAnswer,
  HeartRateZones,
  LibraryFiles,
  PageAnswer,
  PageRequest,
  Privacy,
  SecondRecordingBody,
  StoredHeartRateZones,
  UnitPreferenceBody,
  WeatherSettings,
  WeatherSwitch,
  ZONES_ALIASES,
  ZonesRequest,
} from './schemas.ts'
import { heartRateZones, putZones, requestedZones } from './zones.ts'

/** Zones and unit preference. The default shoe is in shoes, scoring effort again in workouts. */
export function settingsRoutes(deps: Deps) {
  const { db, config, events } = deps
  const weather = () => ({ lookups: weatherLookups(db), available: config.weatherEnabled })
  return new Elysia({ prefix: '/settings', tags: ['Settings'] })
    .get(
      '/heart-rate-zones',
      () => heartRateZones(db),
      call('getHeartRateZones', 'Heart-rate zones, those of age 30 until some are stored', {
        answer: HeartRateZones,
        says:
          'The five zones that score new runs, and the values from which they were computed: AgeBased of age 30, with a maximum of 190, ' +
          'until some are stored. Zones, unit preference and default shoe are independent: storing one creates none of the others.',
      }),
    )
    .put(
      '/heart-rate-zones',
      ({ body }) => {
        const zones = requestedZones(body)
        const stored = db.transaction((tx) => putZones(tx, deps, zones))
        events.emit({ event: 'settings.updated', data: {} })
        return stored
      },
      call('setHeartRateZones', 'Store heart-rate zones; efforts stay unchanged', {
        body: json(ZonesRequest, { aliases: ZONES_ALIASES }),
        answer: StoredHeartRateZones,
        says:
          'For new runs; stored ones keep their scores until they are recalculated. Members that the method does not use are stored ' +
          'as null. Also read: method, restingHeartRate, maxHeartRate, and a zoneNumber, which is ignored.',
      }),
    )
    .get(
      '/unit-preference',
      () => ({ unitPreference: unitPreference(db) }),
      call('getUnitPreference', 'Unit preference', {
        answer: UnitPreferenceBody,
        says: 'Applies to splits of new runs, mileage of shoes, and the page.',
      }),
    )
    .put(
      '/unit-preference',
      ({ body }) => {
        changeSettings(db, deps, { unitPreference: body.unitPreference })
        events.emit({ event: 'settings.updated', data: {} })
        return { unitPreference: body.unitPreference }
      },
      call('setUnitPreference', 'Store the unit preference; existing splits stay', {
        body: json(UnitPreferenceBody, { aliases: { unit: 'unitPreference' } }),
        answer: UnitPreferenceBody,
        says: 'New runs get splits in this unit. Stored splits change when they are recalculated. Also read: unit.',
      }),
    )
    .get(
      '/files',
      () => libraryFiles(db, config.dataDir),
      call('getFiles', 'Files that were set aside, and files that are missing', {
        tags: ['System'],
        answer: LibraryFiles,
        says: 'At most 100 missing files are listed.',
      }),
    )
    .get(
      '/backup',
      () => backupAnswer(config),
      call('getBackup', 'The last automatic backup, and a failure since then', {
        tags: ['System'],
        answer: BackupAnswer,
        says: '`last` is also of the command `backup <folder>`; after a failure the next attempt follows in an hour.',
      }),
    )
    .get(
      '/page',
      () => dashboardPage(db),
      call('getPageSettings', 'Cards of Home and Statistics in order', {
        answer: PageAnswer,
        says: 'All cards of the dashboard. The page no longer reads `effort`. Archives carry both.',
      }),
    )
    .put(
      '/page',
      ({ body }) => {
        putPage(deps, body)
        events.emit({ event: 'settings.updated', data: {} })
        return dashboardPage(db)
      },
      call('storePageSettings', 'Order and hide cards of Home and Statistics', {
        body: PageRequest,
        answer: PageAnswer,
        says: '400 for an unknown or repeated card.',
      }),
    )
    .get(
      '/second-recording',
      () => ({ mode: secondRecording(db) }),
      call('getSecondRecording', 'What is done with a second recording of one run', {
        tags: ['Merging'],
        answer: SecondRecordingBody,
        says: 'suggest until something else is stored.',
      }),
    )
    .put(
      '/second-recording',
      ({ body }) => {
        changeSettings(db, deps, { secondRecording: body.mode })
        events.emit({ event: 'settings.updated', data: {} })
        return { mode: body.mode }
      },
      call('storeSecondRecording', 'Suggest second recordings, merge certain ones at once, or keep them', {
        tags: ['Merging'],
        body: SecondRecordingBody,
        answer: SecondRecordingBody,
        says: 'merge: certain ones are merged when they are imported.',
      }),
    )
    .get(
      '/privacy',
      () => ({ trimEndsM: trimEndsM(db) }),
      call('getPrivacy', 'How much of the ends of runs nobody else sees', {
        answer: Privacy,
        says: '0 until something else is stored. Places are hidden by their hideM.',
      }),
    )
    .put(
      '/privacy',
      ({ body }) => {
        changeSettings(db, deps, body)
        events.emit({ event: 'settings.updated', data: {} })
        return body
      },
      call('storePrivacy', 'Cut the ends of runs before others see them', {
        body: Privacy,
        answer: Privacy,
        says:
          'At least so many metres of either end are left out of trimmed files (trim=true), in a circle that is ' +
          'displaced in secret, as for hidden places. What the runner reads stays whole.',
      }),
    )
    .get(
      '/weather',
      weather,
      call('getWeatherLookups', 'Whether the weather of runs is looked up', {
        answer: WeatherSettings,
        says: 'While lookups are on, place and hour of new runs are sent to the weather service.',
      }),
    )
    .put(
      '/weather',
      ({ body }) => {
        changeSettings(db, deps, { weatherLookups: body.lookups })
        events.emit({ event: 'settings.updated', data: {} })
        return weather()
      },
      call(
        'setWeatherLookups',
        'Turn lookups on or off; runs added in the meantime are looked up once they are on again',
        {
          body: WeatherSwitch,
          answer: WeatherSettings,
          says: 'Where the operator has turned lookups off (WEATHER_ENABLED), this switch has no effect.',
        },
      ),
    )
}

/** The last backup, also one that was made by a command. */
function backupAnswer({ dataDir, backupDir, backupAtMin }: Config): BackupAnswer {
  const { made, failed } = lastBackup(dataDir)
  const two = (value: number) => String(value).padStart(2, '0')
  return {
    enabled: backupDir !== null,
    at: `${two(Math.floor(backupAtMin / 60))}:${two(backupAtMin % 60)}`,
    last: made === null ? null : { at: isoTime(made.at), bytes: made.bytes, verified: made.isVerified },
    failed: failed === null ? null : { at: isoTime(failed.at), error: failed.error },
  }
}

/** Most missing files listed, since a library whose folder was lost misses all. */
const MOST_LISTED = 100

/** Files that the hourly clean-up moved to the found folder, and missing ones. */
async function libraryFiles(db: Tx, dataDir: string): Promise<Static<typeof LibraryFiles>> {
  const missing = await missingFiles(db, dataDir)
  const listed = missing.slice(0, MOST_LISTED).map(({ workoutId, filename }) => ({ workoutId, filename }))
  return {
    found: { count: await countFound(dataDir), keptDays: FOUND_DAYS },
    missing: { count: missing.length, files: listed },
  }
}

/** The cards of the page; load comes first once a run has one, until the runner chooses. */
function dashboardPage(db: Db): Static<typeof PageAnswer> {
  const { cards, effort } = pageSettings(db)
  return { cards: [...cards], effort: effort ?? (hasLoads(db) ? 'load' : 'relative') }
}

function hasLoads({ $client: client }: Db): boolean {
  return client.query('SELECT 1 FROM workout_load WHERE load IS NOT NULL LIMIT 1').get() !== null
}

/** Stores what was sent; cards that were not sent follow in their usual order. @throws AppError 400 for a repeated card */
function putPage(
  { db, ...deps }: Pick<Deps, 'db' | 'config' | 'now'>,
  { cards, effort }: Static<typeof PageRequest>,
): void {
  const twice = cards?.find(({ id }, index) => cards.findIndex((card) => card.id === id) < index)
  if (twice !== undefined) throw invalid(`cards must not repeat ${twice.id}`, { field: 'cards' })
  const before = pageSettings(db)
  changeSettings(db, deps, { page: { cards: cards ?? before.cards, effort: effort ?? before.effort } })
}
