import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Config } from '../../base/config.ts'
import { invalid } from '../../base/errors.ts'
import { lastBackup } from '../../base/last-backup.ts'
import type { Db, Tx } from '../../db/open.ts'
import { isoTime } from '../../engine/calendar/timestamp.ts'
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
    .get('/heart-rate-zones', () => heartRateZones(db), {
      response: { 200: HeartRateZones },
      detail: { summary: 'Heart-rate zones, those of age 30 until some are stored' },
    })
    .put(
      '/heart-rate-zones',
      ({ body }) => {
        const zones = requestedZones(body)
        const stored = db.transaction((tx) => putZones(tx, deps, zones))
        events.emit({ event: 'settings.updated', data: {} })
        return stored
      },
      {
        ...json(ZonesRequest, { aliases: ZONES_ALIASES }),
        response: { 200: StoredHeartRateZones },
        detail: { summary: 'Store heart-rate zones; efforts stay unchanged' },
      },
    )
    .get('/unit-preference', () => ({ unitPreference: unitPreference(db) }), {
      response: { 200: UnitPreferenceBody },
      detail: { summary: 'Unit preference' },
    })
    .put(
      '/unit-preference',
      ({ body }) => {
        changeSettings(db, deps, { unitPreference: body.unitPreference })
        events.emit({ event: 'settings.updated', data: {} })
        return { unitPreference: body.unitPreference }
      },
      {
        ...json(UnitPreferenceBody, { aliases: { unit: 'unitPreference' } }),
        response: { 200: UnitPreferenceBody },
        detail: { summary: 'Store the unit preference; existing splits stay' },
      },
    )
    .get('/files', () => libraryFiles(db, config.dataDir), {
      response: { 200: LibraryFiles },
      detail: { summary: 'Files that were set aside, and files that are missing' },
    })
    .get('/backup', () => backupAnswer(config), {
      response: { 200: BackupAnswer },
      detail: { summary: 'The last automatic backup, and a failure since then' },
    })
    .get('/page', () => dashboardPage(db), {
      response: { 200: PageAnswer },
      detail: { summary: 'Cards of Home and Statistics in order' },
    })
    .put(
      '/page',
      ({ body }) => {
        putPage(deps, body)
        events.emit({ event: 'settings.updated', data: {} })
        return dashboardPage(db)
      },
      {
        ...json(PageRequest),
        response: { 200: PageAnswer },
        detail: { summary: 'Order and hide cards of Home and Statistics' },
      },
    )
    .get('/second-recording', () => ({ mode: secondRecording(db) }), {
      response: { 200: SecondRecordingBody },
      detail: { summary: 'What is done with a second recording of one run' },
    })
    .put(
      '/second-recording',
      ({ body }) => {
        changeSettings(db, deps, { secondRecording: body.mode })
        events.emit({ event: 'settings.updated', data: {} })
        return { mode: body.mode }
      },
      {
        ...json(SecondRecordingBody),
        response: { 200: SecondRecordingBody },
        detail: { summary: 'Suggest second recordings, merge certain ones at once, or keep them' },
      },
    )
    .get('/privacy', () => ({ trimEndsM: trimEndsM(db) }), {
      response: { 200: Privacy },
      detail: { summary: 'How much of the ends of runs nobody else sees' },
    })
    .put(
      '/privacy',
      ({ body }) => {
        changeSettings(db, deps, body)
        events.emit({ event: 'settings.updated', data: {} })
        return body
      },
      {
        ...json(Privacy),
        response: { 200: Privacy },
        detail: { summary: 'Cut the ends of runs before others see them' },
      },
    )
    .get('/weather', weather, {
      response: { 200: WeatherSettings },
      detail: { summary: 'Whether the weather of runs is looked up' },
    })
    .put(
      '/weather',
      ({ body }) => {
        changeSettings(db, deps, { weatherLookups: body.lookups })
        events.emit({ event: 'settings.updated', data: {} })
        return weather()
      },
      {
        ...json(WeatherSwitch),
        response: { 200: WeatherSettings },
        detail: { summary: 'Turn lookups on or off; runs added in the meantime are looked up once they are on again' },
      },
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
  if (twice !== undefined) throw invalid(`cards must not repeat ${twice.id}`)
  const before = pageSettings(db)
  changeSettings(db, deps, { page: { cards: cards ?? before.cards, effort: effort ?? before.effort } })
}
