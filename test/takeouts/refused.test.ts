import { expect } from 'bun:test'
import { testApp } from '../app.ts'
import { corpusFile, corpusTest } from '../corpus.ts'

corpusTest('exports that are known but not read are refused by name, with what to do instead', async () => {
  await using app = await testApp()
  for (const [name, sentence] of [
    ['endomondo/workout-tracked.json', 'Endomondo exports are not read; the GPX or TCX files that came with them are'],
    [
      'runalyze/with-equipment.json',
      'Backups of Runalyze are not read; import the original files that it keeps, as a ZIP',
    ],
    ['suunto/multisport.json', 'This is the log of one Suunto workout, not an export: import it as a single file'],
  ] as const) {
    const file = { name: name.split('/')[1]!, bytes: corpusFile(`archives/${name}`) }
    const { status, json } = await app.upload('/workouts/import/archive', [file])
    expect([name, status, json.error]).toEqual([name, 400, sentence])
  }
  expect((await app.ok('GET', '/workouts')).totalCount).toBe(0)
})
