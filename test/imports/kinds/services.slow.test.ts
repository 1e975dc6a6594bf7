import { expect, test } from 'bun:test'
import type { TestFile } from '../../app.ts'
import { goldenCheetahFile, nikeActivity } from '../../fixtures/json-services.ts'
import { jpeg } from '../../fixtures/media.ts'
import { polarExercise, polarSession } from '../../fixtures/polar.ts'
import { runkeeperTable } from '../../fixtures/runkeeper.ts'
import { runtasticFiles } from '../../fixtures/runtastic.ts'
import { endurainRow, endurainStreams, fitTrackeeRow, gpxOf } from '../../fixtures/self-hosted.ts'
import { type KnownRun, knownRuns } from '../../fixtures/service-runs.ts'
import { zipUpload } from '../../fixtures/strava-zip.ts'
import { EXPORTS, expectExport, half, imported } from './exports.ts'

const NOW = '2025-11-20T13:05:11Z'
const DAY_MS = 86_400_000
type Five = [KnownRun, KnownRun, KnownRun, KnownRun, KnownRun]
const [RUN, SECOND, THIRD, FOURTH, FIFTH] = knownRuns(5) as Five
const SUMMER = { ...RUN, number: 1, startMs: RUN.startMs - 120 * DAY_MS }
const iso = (ms: number) => new Date(ms).toISOString().replace('.000', '')
const text = (value: unknown) => JSON.stringify(value)

test.each(Object.keys(EXPORTS))(
  '%s: an export of many runs is imported, again without a change, and undone',
  expectExport,
  120_000,
)

const CUT = Object.entries(runtasticFiles(knownRuns(6)[5]!)).map(([name, bytes]) => [name, bytes.slice(0, 90)] as const)
const near = (metres: number) => expect.closeTo(metres, 0)
/** Of an export with one broken file, and with one that is nothing. */
const counted = (kind: string, successful: number, broken: string, ignored = 1) => ({
  ...{ kind, successful, errors: 1, errorDetails: [{ filename: broken }], ignored },
})

interface Story {
  readonly file: TestFile
  readonly answer: object
  /** The newest first. */
  readonly runs: readonly object[]
  /** Model, and since when it is retired. */
  readonly shoes?: Readonly<Record<string, string | null>>
}

const STORIES: Readonly<Record<string, Story>> = {
  'GoldenCheetah: notes, device and cadence': {
    file: zipUpload({
      'me/activities/0.json': goldenCheetahFile(RUN),
      'me/activities/ride.json': goldenCheetahFile(SECOND, { sport: 'Bike' }),
      'me/activities/nothing.json': goldenCheetahFile(SECOND, { TAGS: {} }),
      'me/activities/broken.json': half(goldenCheetahFile(SECOND)),
      'me/cache/rideDB.json': '{"VERSION":"1"}',
    }),
    answer: { ...counted('goldencheetah', 1, 'me/activities/broken.json'), skippedSports: { ride: 2 } },
    runs: [
      {
        ...{ notes: 'Run 0', device: 'Polar CS600', durationS: 60, avgCadenceRpm: 85, source: 'json_import' },
        ...{ avgHeartRateBpm: 120, distanceM: near(150), recordings: [{ origin: 'goldencheetah' }] },
      },
    ],
  },
  'Nike Run Club: the name, and the pause that the active time is shorter by': {
    file: zipUpload({
      'n/a.json': text(nikeActivity(RUN, { active_duration_ms: 50_000 })),
      'n/b.json': text(nikeActivity(SECOND, { hasRoute: false })),
      'n/walk.json': text(nikeActivity(THIRD, { type: 'walk' })),
      'n/broken.json': half(text(nikeActivity(THIRD))),
    }),
    answer: { ...counted('nike', 2, 'n/broken.json', 0), skippedSports: { walk: 1 } },
    runs: [
      { name: 'Run 0', durationS: 60, timerTimeS: 50, hasRoute: true, distanceM: 150, avgHeartRateBpm: 120 },
      { name: 'Run 1', durationS: 60, timerTimeS: 60, hasRoute: false, distanceM: 156, avgHeartRateBpm: 121 },
    ],
  },
  'Nike Run Club: a list of activities gives runs from totals': {
    file: {
      name: 'activities.json',
      bytes: text({
        activities: [
          ...[RUN, SECOND, THIRD].map((run) => nikeActivity(run, { hasMetrics: false })),
          nikeActivity(RUN, { type: 'walk', hasMetrics: false }),
        ],
        paging: {},
      }),
    },
    answer: { kind: 'nike', successful: 3, skippedOther: 1, skippedSports: { walk: 1 } },
    runs: [150, 156, 162].map((distanceM) => ({ distanceM, durationS: 60, hasRoute: false })),
  },
  'Polar Flow: sessions': {
    file: zipUpload({
      'polar/training-session-1.json': polarSession([polarExercise(RUN)]),
      'polar/training-session-ride.json': polarSession([polarExercise(SECOND, { sport: 'MOUNTAIN_BIKING' })]),
      'polar/training-session-swim.json': polarSession([polarExercise(SECOND, { sport: 'SWIMMING' })]),
      'polar/training-session-broken.json': half(polarSession([polarExercise(THIRD)])),
      'polar/activity-2025-11-01.json': '{"summary":{}}',
    }),
    answer: {
      ...counted('polar_flow', 1, 'polar/training-session-broken.json'),
      skippedSports: { ride: 1, swim: 1 },
    },
    runs: [
      {
        ...{ name: 'Running', durationS: 60, source: 'json_import', avgHeartRateBpm: 120, distanceM: near(150) },
        recordings: [{ fileType: 'json', filename: 'training-session-1.json' }],
      },
    ],
  },
  'adidas Running: old and new, without a track, and with the shoe that the session names': {
    file: zipUpload({
      ...runtasticFiles(RUN, { track: 'none', sport: '14', more: { notes: 'indoors' } }),
      ...runtasticFiles(SECOND, { more: { user_equipment_ids: ['shoe-1'] } }),
      ...runtasticFiles(THIRD, { isNew: true, track: 'gpx' }),
      ...runtasticFiles(FOURTH, { sport: '22' }),
      ...runtasticFiles(FIFTH, { sport: '4711' }),
      ...Object.fromEntries(CUT),
      'User/Shoes/Shoe.json': text({ id: 'shoe-1', name: 'Brooks Ghost', equipment_type: 'shoe' }),
      'Photos/Images-meta-data/ImagesMetaData.json': '{}',
    }),
    answer: { ...counted('runtastic', 3, CUT[0]![0]), skippedSports: { ride: 1, other: 1 }, shoesCreated: 1 },
    runs: [
      { distanceM: 150, avgHeartRateBpm: 120, shoe: undefined, hasRoute: false },
      { distanceM: near(156), avgHeartRateBpm: 121, shoe: 'Ghost', hasRoute: true },
      { distanceM: near(162), avgHeartRateBpm: 122, hasRoute: true },
    ],
    shoes: { Ghost: null },
  },
  // the table has times an hour ahead of UTC, where in July clocks are two
  'Runkeeper: without a file a run begins at its local time in the zone of the nearest run with a position': {
    file: zipUpload({
      'export/cardioActivities.csv': runkeeperTable([
        { run: { ...RUN, number: 2, startMs: RUN.startMs - DAY_MS }, notes: 'by hand' },
        { run: SUMMER, gpx: 'a.gpx' },
        { run: { ...SUMMER, number: 3, startMs: SUMMER.startMs - DAY_MS } },
        ...[
          { run: FOURTH, type: 'Cycling' },
          { run: FOURTH, type: 'Walking' },
          { run: FIFTH, gpx: 'broken.gpx' },
        ],
      ]),
      'export/a.gpx': gpxOf(SUMMER),
      ...{ 'export/broken.gpx': half(gpxOf(FIFTH)), 'export/measurements.csv': 'Date,Type,Value\n' },
    }),
    answer: { ...counted('runkeeper', 3, 'export/broken.gpx'), skippedSports: { ride: 1, walk: 1 }, warnings: [] },
    runs: [
      { startedAt: iso(RUN.startMs - DAY_MS), distanceM: 150, durationS: 60, source: 'csv_import', notes: 'by hand' },
      { startedAt: iso(SUMMER.startMs), hasRoute: true },
      { startedAt: iso(SUMMER.startMs - DAY_MS - 3_600_000) },
    ],
  },
  'FitTrackee: title, notes and shoe, but not a title that it made up; older exports name GPX files': {
    file: zipUpload({
      'user_workouts_data.json': text([
        fitTrackeeRow(RUN, {
          ...{ gpx: 'a.gpx', description: 'Wind', notes: 'Rain' },
          equipments: [
            { label: 'My bike', equipment_type: { label: 'Bike' } },
            { label: 'Nike Pegasus', equipment_type: { label: 'Shoe' }, is_active: false },
          ],
        }),
        fitTrackeeRow(SECOND, { gpx: 'b.gpx', title: 'Running - 2025-10-31 08:00:00' }),
        ...[fitTrackeeRow(THIRD), fitTrackeeRow(FIFTH, { gpx: 'broken.gpx' })],
        ...['Cycling (Transport)', 'Hiking'].map((label) => fitTrackeeRow(FOURTH, { sport_label: label })),
      ]),
      ...{ 'gpx/a.gpx': gpxOf(RUN), 'gpx/b.gpx': gpxOf(SECOND), 'gpx/broken.gpx': half(gpxOf(FIFTH)) },
      'user_data.json': '{"username":"me"}',
    }),
    answer: {
      ...{ ...counted('fittrackee', 3, 'gpx/broken.gpx'), shoesCreated: 1, skippedSports: { ride: 1, hike: 1 } },
    },
    runs: [
      { name: 'Run 0', notes: 'Wind\n\nRain', shoe: 'Pegasus', avgHeartRateBpm: 120, hasRoute: true },
      { name: 'Running 10/2/17 10:49 am' },
      { name: 'Run 2', distanceM: 162, avgHeartRateBpm: 122, hasRoute: false },
    ],
    shoes: { Pegasus: NOW },
  },
  'Endurain: words, shoe and photos; streams are kept as a ZIP that is read again': {
    file: zipUpload({
      'counts.json': '{"activities":1}',
      'data/activities.json': text([
        endurainRow(RUN, { description: 'Wind', gear_id: 7 }),
        endurainRow(SECOND, { activity_type: 'Trail run', gear_id: 7 }),
      ]),
      'data/gears.json': text([
        { id: 7, nickname: 'Nike Pegasus', gear_type: 2, active: false },
        { id: 8, nickname: 'Unworn', gear_type: 2, is_active: 0 },
      ]),
      'data/activity_streams.json': text(endurainStreams(SECOND)),
      ...{ 'activity_files/1.gpx': gpxOf(RUN), 'activity_media/1_photo.jpg': jpeg() },
    }),
    answer: { kind: 'endurain', successful: 2, shoesCreated: 1, mediaImported: 1, warnings: [] },
    runs: [
      { notes: 'Wind', shoe: 'Pegasus' },
      {
        ...{ name: 'Run 1', hasRoute: true, avgHeartRateBpm: 121, shoe: 'Pegasus' },
        recordings: [{ origin: 'endurain', fileType: 'zip', filename: 'activity-2.zip' }],
      },
    ],
    shoes: { Pegasus: NOW },
  },
}

test.each(Object.keys(STORIES))('%s', async (name) => {
  const { file, answer, runs: expected, shoes: worn = {} } = STORIES[name]!
  const { json, runs, shoes } = await imported(file)
  expect([json, shoes]).toMatchObject([answer, worn])
  expect(Object.keys(shoes)).toEqual(Object.keys(worn))
  expect(runs).toMatchObject([...expected])
})
