// What no repair takes: each call is answered with the reason, and nothing changes.
import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../app.ts'
import { fitRun, gpxRun, START_MS } from '../../fixtures/runs.ts'
import { refused } from './repairing.ts'

const UNKNOWN = '0198a000-0000-7000-8000-00000000ffff'
const RUN = { startedAt: '2025-11-01T07:00:00Z', durationS: 2700, distanceM: 8000 }
const MEND = { fromElapsedS: 100, toElapsedS: 200, channel: 'heartRate', fill: 'gap' }
const SET = { rpe: 3 }

/** Ten minutes of a watch and of a phone, runs that overlap the first and are far from it, and one by hand. */
async function library(app: TestApp) {
  const watch = (startS: number, name: string) => app.run(fitRun({ startMs: START_MS + startS * 1000 }), name)
  const known = { ...RUN, movingTimeS: 2600, avgHeartRateBpm: 150 }
  return {
    run: await watch(0, 'a.fit'),
    over: await watch(500, 'b.fit'),
    far: await watch(600 + 12 * 3600 + 1, 'c.fit'),
    phone: await app.run(gpxRun({ startMs: START_MS + 864e5 }), 'd.gpx'),
    hand: (await app.ok('POST', '/workouts', known)).id as string,
  }
}

type Ids = Awaited<ReturnType<typeof library>>
type Case = readonly [body: unknown, reason: RegExp]

/** Cases of a call, of a run of the library unless it names one. */
const CASES: Readonly<Record<string, readonly Case[] | ((ids: Ids) => readonly Case[])>> = {
  'POST /workouts': [
    [{ ...RUN, startedAt: 'yesterday' }, /startedAt/],
    [{ ...RUN, startedAt: '1989-12-31T23:59:59Z' }, /1990/],
    [{ ...RUN, startedAt: '2025-11-21T13:05:12Z' }, /day ahead/],
    [{ ...RUN, movingTimeS: 2701 }, /movingTimeS/],
    [{ ...RUN, movingTimeS: 2701, dryRun: true }, /movingTimeS/],
    [{ ...RUN, avgHeartRateBpm: 150, maxHeartRateBpm: 149 }, /avgHeartRateBpm/],
    [{ ...RUN, shoeId: UNKNOWN }, /Shoe not found/],
    [{ ...RUN, timeZone: 'Mars/Olympus' }, /time zone/],
  ],
  'POST /workouts/bulk-edit': ({ run, over }) => [
    [{ set: SET }, /ids or filter/],
    [{ ids: [run, over], filter: {}, set: SET }, /ids or filter/],
    [{ ids: [run, UNKNOWN], set: SET }, new RegExp(UNKNOWN)],
    [{ ids: [run, UNKNOWN], set: SET, dryRun: true }, new RegExp(UNKNOWN)],
    [{ ids: [run], set: {} }, /at least one/],
    [{ ids: [run], set: { shoeId: UNKNOWN } }, /Shoe not found/],
    [{ filter: { startDate: 'soon' }, set: SET }, /startDate/],
  ],
  'POST /workouts/join': ({ run, over, far, hand }) => [
    [{ ids: [run, run] }, /at least two/],
    [{ ids: [run, over] }, /overlap/],
    [{ ids: [run, far] }, /12 hours/],
    [{ ids: [run, UNKNOWN] }, new RegExp(UNKNOWN)],
    [{ ids: [run, hand] }, /without recorded points/],
  ],
  'POST /workouts/:run/cut': [
    [{ fromElapsedS: 200, toElapsedS: 100 }, /less than toElapsedS/],
    [{ fromElapsedS: 9.9, toElapsedS: 100 }, /crop the run/],
    [{ fromElapsedS: 100, toElapsedS: 590.5 }, /crop the run/],
    [{ fromElapsedS: 100, toElapsedS: 700 }, /600 s/],
  ],
  'POST /workouts/:run/mend': [
    [{ ...MEND, channel: 'power' }, /no power/],
    [{ ...MEND, fromElapsedS: 300 }, /less than toElapsedS/],
    [{ ...MEND, toElapsedS: 602 }, /600 s/],
  ],
  'POST /workouts/:phone/mend': [
    [{ ...MEND, channel: 'position', fromElapsedS: 0, toElapsedS: 600 }, /Nothing of the distance/],
  ],
  'POST /workouts/:run/split': [
    [{ atElapsedS: [9.9] }, /at least 10 s/],
    [{ atElapsedS: [100, 109] }, /at least 10 s/],
    [{ atElapsedS: [591] }, /at least 10 s/],
    [{ atElapsedS: [700] }, /at least 10 s/],
  ],
  'PATCH /workouts/:run/numbers': [
    [{ distanceM: 2000 }, /distance$/],
    [{ startedAt: RUN.startedAt }, /shift$/],
  ],
  'PATCH /workouts/:hand/numbers': [
    [{}, /required/],
    [{ distanceM: null }, /distanceM/],
    [{ durationS: 2500 }, /movingTimeS/],
    [{ maxHeartRateBpm: 149 }, /avgHeartRateBpm/],
    [{ startedAt: '1980-01-01T00:00:00Z' }, /1990/],
  ],
  'POST /workouts/:run/shift': [
    [{}, /exactly one/],
    [{ offsetSeconds: 1, timeZone: 'UTC' }, /exactly one/],
    [{ startedAt: 'noon' }, /startedAt/],
    [{ startedAt: '2026-01-01T00:00:00Z' }, /ahead/],
    [{ timeZone: 'Atlantis' }, /time zone/],
  ],
  'POST /workouts/:run/distance': [
    [{ distanceM: 899 }, /half to twice the 1800 m/],
    [{ distanceM: 3601 }, /half to twice/],
    [{ distanceM: null }, /was not changed/],
  ],
  'POST /workouts/:run/revert': [[{}, /no repair/]],
}

test('refused, with nothing changed', async () => {
  await using app = await testApp()
  const ids = await library(app)
  const details = () => Promise.all(Object.values(ids).map((id) => app.ok('GET', `/workouts/${id}`)))
  const before = { list: await app.ok('GET', '/workouts'), details: await details() }
  for (const [call, cases] of Object.entries(CASES)) {
    const path = call.replace(/:(\w+)/, (_, name: keyof Ids) => ids[name])
    for (const [body, reason] of typeof cases === 'function' ? cases(ids) : cases) {
      expect(await refused(app, path, body), `${call} ${JSON.stringify(body)}`).toMatch(reason)
    }
  }
  expect({ list: await app.ok('GET', '/workouts'), details: await details() }).toEqual(before)
})
