import { describe, expect, test } from 'bun:test'
import { countsTable } from '../../../src/archive/verify/findings.ts'
import { archiveOf, bytesOf } from '../archives.ts'
import { id, tempoLibrary, workout } from '../restore/tempo-archive.ts'
import { line, verified } from './verifying.ts'

describe('an archive of the earlier service', () => {
  test('is compared as far as its values are taken; positions and samples are rebuilt', async () => {
    const { differences, kinds, origin } = await verified(await archiveOf(tempoLibrary()))
    expect(differences).toEqual([])
    expect(origin).toBe('written at an unknown time by another program')
    expect(kinds).toEqual([
      { kind: 'settings', ...line(1) },
      { kind: 'shoes', ...line(1) },
      { kind: 'workouts', ...line(1) },
      { kind: 'routes', ...line(1, 1, null) },
      { kind: 'splits', ...line(4) },
      { kind: 'samples', ...line(1201, 1201, null) },
      { kind: 'media', ...line(1) },
      // five distances up to 3.6 km, which its samples have and the archive does not
      { kind: 'best efforts', ...line(0, 5, 0) },
      { kind: 'original files', ...line(1) },
      { kind: 'media files', ...line(1) },
    ])
    expect(countsTable(kinds)).toMatch(/ {2}samples +1201 +1201 +rebuilt/)
  })

  test('an original in base64 is compared by its bytes', async () => {
    const raw = `workouts/${id(1)}/raw/run.gpx`
    const { [raw]: gpx, ...rest } = tempoLibrary()
    const embedded = { ...workout(1), rawFileData: Buffer.from(bytesOf(gpx)).toString('base64') }
    const { differences, kinds } = await verified(await archiveOf({ ...rest, 'data/workouts.json': [embedded] }))
    expect(differences).toEqual([])
    expect(kinds.find(({ kind }) => kind === 'original files')).toMatchObject(line(1))
  })

  const lost: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['a value that is none', { rpe: 12 }, `workouts ${id(1)}: rpe is 12 in the archive, null restored`],
    [
      'a name that is cut',
      { name: 'n'.repeat(201) },
      `workouts ${id(1)}: name is "${'n'.repeat(59)}… in the archive, "${'n'.repeat(59)}… restored`,
    ],
    [
      'a shoe that is not there',
      { shoeId: id(404) },
      `workouts ${id(1)}: shoeId is "${id(404)}" in the archive, null restored`,
    ],
  ]
  for (const [name, given, found] of lost) {
    test(`${name} is a difference`, async () => {
      const zip = await archiveOf({ ...tempoLibrary(), 'data/workouts.json': [workout(1, given)] })
      expect((await verified(zip)).differences).toEqual([found])
    })
  }

  test('a record that its samples beat is a note, a faster one is kept, and a row of an unknown workout is a difference', async () => {
    const effort = (n: number, more: Record<string, unknown>) => ({
      ...{ id: id(600 + n), workoutId: id(1), workoutDate: '2024-05-04T00:00:00Z' },
      ...{ calculatedAt: '2024-06-01T00:00:00.1234567Z', ...more },
    })
    const zip = await archiveOf({
      ...tempoLibrary(),
      'data/best-efforts.json': [
        effort(1, { distance: '400m', distanceM: 400, timeS: 140 }),
        effort(2, { distance: '1K', distanceM: 1000, timeS: 300 }),
        effort(3, { distance: '10K', distanceM: 10_000, timeS: 2400, workoutId: id(77) }),
      ],
    })
    const { differences, notes } = await verified(zip)
    // 400 m at 3 m/s
    expect(notes).toContain('best efforts 400m: 140 s in the archive, 133 s in its samples')
    expect(differences).toEqual(['best efforts 10K: not restored'])
  })
})
