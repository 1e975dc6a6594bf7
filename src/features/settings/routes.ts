import { Elysia } from 'elysia'
import { json } from '../../http/json.ts'
import type { Deps } from '../../library/deps.ts'
import { changeSettings, secondRecording, trimEndsM, unitPreference, weatherLookups } from '../../library/settings.ts'
import { backupAnswer } from './backup.ts'
import { libraryFiles } from './files.ts'
import { dashboardPage, putPage } from './page.ts'
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
      detail: { summary: 'Cards of the dashboard in order, and what leads it' },
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
        detail: { summary: 'Order and hide cards of the dashboard' },
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
