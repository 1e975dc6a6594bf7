import { describe, expect, test } from 'bun:test'
import {
  date,
  distance,
  distanceName,
  duration,
  elevation,
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
  similarPath,
} from '../../src/web/screens/run-query.ts'

describe('numbers of a run as they are read', () => {
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

  test.each([
    [0, '0:00'],
    [59.6, '1:00'],
    [3599.5, '1:00:00'],
    [5025, '1:23:45'],
    [null, '–'],
  ])('%p seconds are %s', (seconds, expected) => expect(duration(seconds)).toBe(expected))

  test('sums of time have no seconds, and minutes round up into hours', () => {
    expect([roughDuration(3570), roughDuration(3599), roughDuration(45_000)]).toEqual([
      '1 h 00 min',
      '1 h 00 min',
      '12 h 30 min',
    ])
  })

  test('a change that rounds to nothing has no sign', () => {
    expect([signed(0.04, 1), signed(-3.25, 1), signed(2)]).toEqual(['±0', '−3.3', '+2'])
  })
})

describe('times where the run was', () => {
  test('a run at 23:30 in New York is of that day, and a calendar date is not an instant', () => {
    expect(date('2025-11-20T04:30:00Z', 'short', -300)).toBe('Nov 19, 2025')
    expect(date('2025-11-20')).toBe('Nov 20, 2025')
  })

  test('a run without name is called by its local hour', () => {
    const at = (hour: number) => ({ name: null, startedAt: `2025-11-20T${hour}:00:00Z`, utcOffsetMinutes: 60 })
    expect([at(10), at(11), at(16), at(20)].map(runName)).toEqual([
      'Morning run',
      'Afternoon run',
      'Evening run',
      'Night run',
    ])
    expect(runName({ ...at(10), name: 'Hills' })).toBe('Hills')
  })
})

describe('the filters of the list', () => {
  const query =
    'q=hill+%26+dale&from=2025-03-01&to=2025-03-31&min=5&max=10%2C5&type=Long+Run&shoe=none&sort=distance&order=asc'

  test('are in the address and come back from it', () => {
    const filters = filtersOf(new URLSearchParams(query))
    expect(filtersOf(new URL(runsPath(filters, 2), 'http://localhost').searchParams)).toEqual(filters)
    expect(runsPath(filtersOf(new URLSearchParams('sort=nonsense&type=Swim&from=yesterday')), 1)).toBe('/app/runs')
  })

  test('ask for distances in metres whatever the unit, with decimal commas', () => {
    const path = listPath(filtersOf(new URLSearchParams(query)), 1, { units: 'imperial', clock: 'elapsed' })
    const sent = new URL(path, 'http://localhost').searchParams
    // 5 and 10.5 miles
    expect([sent.get('minDistanceM'), sent.get('maxDistanceM')]).toEqual(['8047', '16898'])
    expect([sent.get('keyword'), sent.get('runType'), sent.get('sortOrder')]).toEqual([
      'hill & dale',
      'Long Run',
      'asc',
    ])
  })

  test('ask for times and paces by the clock that is shown, the fastest pace first', () => {
    const sorted = (sort: string, clock: 'moving' | 'elapsed') => {
      const filters = filtersOf(new URLSearchParams(`sort=${sort}`))
      const sent = new URL(listPath(filters, 1, { units: 'metric', clock }), 'http://localhost').searchParams
      return [sent.get('sortBy'), sent.get('sortOrder')]
    }
    expect(sorted('pace', 'moving')).toEqual(['movingpace', 'asc'])
    expect(sorted('pace', 'elapsed')).toEqual(['pace', 'asc'])
    expect(sorted('duration', 'moving')).toEqual(['movingtime', 'desc'])
    expect(sorted('heartrate', 'moving')).toEqual(['heartrate', 'desc'])
  })

  test('go along to a run and its neighbours, without a page', () => {
    const filters = filtersOf(new URLSearchParams(`${query}&page=3`))
    expect(new URL(runPath('abc', filters), 'http://localhost').search).toBe(`?${query}`)
    const asked = new URL(neighboursPath('abc', filters, { units: 'metric', clock: 'moving' }), 'http://localhost')
    expect([asked.pathname, asked.searchParams.get('shoeId'), asked.searchParams.has('page')]).toEqual([
      ...['/workouts/abc/neighbours', 'none', false],
    ])
    expect([1, 25, 26, 51].map(pageOfPosition)).toEqual([1, 1, 2, 3])
  })

  const sentOf = (address: string, units: 'metric' | 'imperial' = 'metric') =>
    new URL(listPath(filtersOf(new URLSearchParams(address)), 1, { units, clock: 'elapsed' }), 'http://localhost')
      .searchParams

  test('ask for days at the place of each run, as the statistics do', () => {
    const sent = sentOf('from=2025-03-01&to=2025-03-31&counted=yes')
    expect(['days', 'startDate', 'endDate', 'leftOut'].map((key) => sent.get(key))).toEqual([
      ...['local', '2025-03-01', '2025-03-31', 'false'],
    ])
    expect(sent.get('timezoneOffsetMinutes')).toBe(String(-new Date().getTimezoneOffset()))
    expect(sentOf('min=5').has('days')).toBe(false)
  })

  test('ask for pace, heart rate, climb and load in the units of the service, and pass over what is not a number', () => {
    const query = 'minPace=4:30&maxPace=5&minHr=140&maxHr=x&minClimb=100&maxLoad=80.5&device=Fenix'
    const names = ['minPaceS', 'maxPaceS', 'minHeartRateBpm', 'maxHeartRateBpm', 'minElevGainM', 'maxLoad', 'device']
    const asked = (units: 'metric' | 'imperial') => names.map((name) => sentOf(query, units).get(name))
    expect(asked('metric')).toEqual(['270', '300.49', '140', null, '100', '80.5', 'Fenix'])
    // 4:30 and 5:00 a mile, 100 feet
    expect(asked('imperial')).toEqual(['168', '186.49', '140', null, '30', '80.5', 'Fenix'])
  })

  test('of similar runs allow a tenth of the distance, and of the climb a quarter and 20 m', () => {
    const run = { distanceM: 10_000, elevGainM: 100, runType: 'Long Run' } as const
    expect(similarPath(run, 'metric')).toBe('/app/runs?min=9.0&max=11.0&minClimb=55&maxClimb=145&type=Long+Run')
    expect(similarPath({ ...run, elevGainM: null, runType: null }, 'imperial')).toBe('/app/runs?min=5.6&max=6.8')
  })
})

test('standard distances are written as runners write them, also within a reason', () => {
  const words = ['400m', '1/2 mile', '10K', 'Half-Marathon', 'Half-Marathon, 2nd in a year'].map(distanceName)
  expect(words).toEqual(['400 m', '1/2 mile', '10K', 'Half marathon', 'Half marathon, 2nd in a year'])
})
