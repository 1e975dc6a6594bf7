import { expect, test } from 'bun:test'
import {
  date,
  distance,
  duration,
  elevation,
  englishOf,
  pace,
  roughDuration,
  runName,
  signed,
  temperature,
  text,
} from '../../src/web/format.ts'
import {
  filtersOf,
  listPath,
  neighboursPath,
  pageOfPosition,
  runPath,
  runsPath,
} from '../../src/web/screens/run-query.ts'

test.each([
  [distance(42_195, 'metric'), '42.20\u00a0km'],
  // the marathon is 26.219 miles
  [distance(42_195, 'imperial'), '26.22\u00a0mi'],
  [distance(null, 'metric'), '–\u00a0km'],
  [pace(240, 'metric'), '4:00/km'],
  // 4:00/km is 6:26.2/mi
  [pace(240, 'imperial'), '6:26/mi'],
  [pace(299.7, 'metric'), '5:00/km'],
  [pace(0, 'metric'), '–/km'],
  [elevation(304.8, 'imperial'), '1,000\u00a0ft'],
  [temperature(-40, 'imperial'), '−40°F'],
  [temperature(100, 'imperial'), '212°F'],
])('%j is %s', (quantity, expected) => expect(text(quantity)).toBe(expected))

test('sums of time have no seconds, minutes round up into hours, and a change that rounds to nothing has no sign', () => {
  expect([0, 59.6, 3599.5, 5025, null].map(duration)).toEqual(['0:00', '1:00', '1:00:00', '1:23:45', '–'])
  expect([3570, 3599, 45_000].map(roughDuration)).toEqual(['1 h 00 min', '1 h 00 min', '12 h 30 min'])
  expect([signed(0.04, 1), signed(-3.25, 1), signed(2)]).toEqual(['±0', '−3.3', '+2'])
})

test('the page is in English in every browser', () => {
  expect(['en', 'en-US', 'de-DE', 'fr', 'eng-x'].map(englishOf)).toEqual(['en', 'en-US', 'en-GB', 'en-GB', 'en-GB'])
})

test('times are those where the run was, and a run without name is called by its local hour', () => {
  // at 23:30 in New York, and a calendar date, which is not an instant
  expect([date('2025-11-20T04:30:00Z', 'short', -300), date('2025-11-20')]).toEqual(['Nov 19, 2025', 'Nov 20, 2025'])
  const at = (hour: number) => ({ name: null, startedAt: `2025-11-20T${hour}:00:00Z`, utcOffsetMinutes: 60 })
  const names = ['Morning run', 'Afternoon run', 'Evening run', 'Night run', 'Hills']
  expect([at(10), at(11), at(16), at(20), { ...at(10), name: 'Hills' }].map(runName)).toEqual(names)
})

const QUERY =
  'q=hill+%26+dale&from=2025-03-01&to=2025-03-31&min=5&max=10%2C5&type=Long+Run&shoe=none&sort=distance&order=asc'
type Reader = Parameters<typeof listPath>[2]
const METRIC: Reader = { units: 'metric', clock: 'elapsed' }
/** What the list asks the service for at an address. */
const sentOf = (query: string, reader: Partial<Reader> = {}) =>
  new URL(listPath(filtersOf(new URLSearchParams(query)), 1, { ...METRIC, ...reader }), 'http://localhost').searchParams

test('the filters of the list are in the address, come back from it, and go along to a run and its neighbours', () => {
  const filters = filtersOf(new URLSearchParams(QUERY))
  expect(filtersOf(new URL(runsPath(filters, 2), 'http://localhost').searchParams)).toEqual(filters)
  expect(runsPath(filtersOf(new URLSearchParams('sort=nonsense&type=Swim&from=yesterday')), 1)).toBe('/app/runs')
  // without a page
  const paged = filtersOf(new URLSearchParams(`${QUERY}&page=3`))
  expect(new URL(runPath('abc', paged), 'http://localhost').search).toBe(`?${QUERY}`)
  const asked = new URL(neighboursPath('abc', paged, { units: 'metric', clock: 'moving' }), 'http://localhost')
  expect([asked.pathname, asked.searchParams.get('shoeId'), asked.searchParams.has('page')]).toEqual([
    ...['/workouts/abc/neighbours', 'none', false],
  ])
  expect([1, 50, 51, 101].map(pageOfPosition)).toEqual([1, 1, 2, 3])
})

const LIMITS = 'minPace=4:30&maxPace=5&minHr=140&maxHr=x&minClimb=100&maxLoad=80.5&device=Fenix'
test.each<[query: string, reader: Partial<Reader>, sent: Readonly<Record<string, string | null>>]>([
  // distances in metres whatever the unit, with decimal commas: 5 and 10.5 miles
  [QUERY, { units: 'imperial' }, { minDistanceM: '8047', maxDistanceM: '16898' }],
  [QUERY, {}, { search: 'hill & dale', runType: 'Long Run', sortOrder: 'asc' }],
  // times and paces by the clock that is shown, the fastest pace first
  ['sort=pace', { clock: 'moving' }, { sortBy: 'movingpace', sortOrder: 'asc' }],
  ['minPace=5', { clock: 'moving' }, { minMovingPaceS: '300', minPaceS: null }],
  ['sort=pace', {}, { sortBy: 'pace', sortOrder: 'asc' }],
  ['sort=duration', { clock: 'moving' }, { sortBy: 'movingtime', sortOrder: 'desc' }],
  ['sort=heartrate', { clock: 'moving' }, { sortBy: 'heartrate', sortOrder: 'desc' }],
  // days at the place of each run, as the statistics do
  [
    'from=2025-03-01&to=2025-03-31&counted=yes',
    {},
    {
      ...{ days: 'local', startDate: '2025-03-01', endDate: '2025-03-31', leftOut: 'false' },
      timezoneOffsetMinutes: String(-new Date().getTimezoneOffset()),
    },
  ],
  ['min=5', {}, { days: null }],
  // what is not a number is passed over
  [LIMITS, {}, { minPaceS: '270', maxPaceS: '300.49', minHeartRateBpm: '140', maxHeartRateBpm: null, maxLoad: '80.5' }],
  // 4:30 and 5:00 a mile, 100 feet
  [LIMITS, { units: 'imperial' }, { minPaceS: '168', maxPaceS: '186.49', minElevGainM: '30', device: 'Fenix' }],
])('the list at %s for a reader of %j asks for %j', (query, reader, sent) => {
  const found = sentOf(query, reader)
  expect(Object.fromEntries(Object.keys(sent).map((key) => [key, found.get(key)]))).toEqual(sent)
})
