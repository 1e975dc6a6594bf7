import { expect, test } from 'bun:test'
import { countsTable } from '../../../src/archive/verify/findings.ts'
import { archiveOf, bytesOf } from '../archives.ts'
import { id, tempoLibrary, workout } from '../restore/tempo-archive.ts'
import { line, verified } from './verifying.ts'

test('an archive of the earlier service is compared as far as its values are taken', async () => {
  const { differences, kinds, origin } = await verified(await archiveOf(tempoLibrary()))
  expect(differences).toEqual([])
  expect(origin).toBe('written at an unknown time by another program')
  expect(kinds).toEqual([
    ...['settings', 'shoes', 'workouts'].map((kind) => ({ kind, ...line(1) })),
    // positions and samples are rebuilt
    { kind: 'routes', ...line(1, 1, null) },
    { kind: 'splits', ...line(4) },
    { kind: 'samples', ...line(1201, 1201, null) },
    { kind: 'media', ...line(1) },
    // five distances up to 3.6 km, which its samples have and the archive does not
    { kind: 'best efforts', ...line(0, 5, 0) },
    ...['original files', 'media files'].map((kind) => ({ kind, ...line(1) })),
  ])
  expect(countsTable(kinds)).toMatch(/ {2}samples +1201 +1201 +rebuilt/)
})

const RAW = `workouts/${id(1)}/raw/run.gpx`
const { [RAW]: gpx, ...rest } = tempoLibrary()
test.each([
  ['an original in base64', { rawFileData: Buffer.from(bytesOf(gpx)).toString('base64') }, []],
  ['a value that is none', { rpe: 12 }, ['rpe is 12 in the archive, null restored']],
  [
    'a name that is cut',
    { name: 'n'.repeat(201) },
    [`name is "${'n'.repeat(59)}… in the archive, "${'n'.repeat(59)}… restored`],
  ],
  ['a shoe that is not there', { shoeId: id(404) }, [`shoeId is "${id(404)}" in the archive, null restored`]],
])('%s', async (_, given: Record<string, unknown>, found: string[]) => {
  const original = 'rawFileData' in given ? {} : { [RAW]: gpx }
  const zip = await archiveOf({ ...rest, ...original, 'data/workouts.json': [workout(1, given)] })
  const { differences, kinds } = await verified(zip)
  expect(differences).toEqual(found.map((sentence) => `workouts ${id(1)}: ${sentence}`))
  expect(kinds.find(({ kind }) => kind === 'original files')).toMatchObject(line(1))
})

test('a record that its samples beat is a note, a faster one is kept, one of an unknown run is a difference', async () => {
  const effort = (distance: string, distanceM: number, timeS: number, workoutId = id(1)) => ({
    ...{ id: id(600 + timeS), distance, distanceM, timeS, workoutId, workoutDate: '2024-05-04T00:00:00Z' },
    calculatedAt: '2024-06-01T00:00:00.1234567Z',
  })
  const efforts = [effort('400m', 400, 140), effort('1K', 1000, 300), effort('10K', 10_000, 2400, id(77))]
  const { differences, notes } = await verified(
    await archiveOf({ ...tempoLibrary(), 'data/best-efforts.json': efforts }),
  )
  // 400 m at 3 m/s
  expect(notes).toContain('best efforts 400m: 140 s in the archive, 133 s in its samples')
  expect(differences).toEqual(['best efforts 10K: not restored'])
})
