import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { restoreUpload } from '../../src/archive/restore/upload.ts'
import { setActor } from '../../src/http/author.ts'
import { importStravaUpload } from '../../src/strava/upload.ts'
import { createTurns, type Turns } from '../../src/turns.ts'
import { testApp } from '../app.ts'
import { archiveOf } from '../archive/archives.ts'
import { filesOf, workout } from '../archive/restore/restoring.ts'
import { zipUpload } from '../fixtures/strava-zip.ts'

const requestOf = (bytes: Uint8Array, names: readonly string[] = ['a.zip']) => {
  const body = new FormData()
  for (const name of names) body.append('file', new File([name === 'a.zip' ? bytes.slice() : 'words'], name))
  const request = new Request('http://localhost/', { method: 'POST', body })
  setActor(request, 'browser')
  return request
}
const table = 'Activity ID,Activity Date,Activity Name,Activity Type,Elapsed Time,Distance,Filename\n'

test('an upload that cannot be removed changes neither the answer of a restore nor that of a bulk import', async () => {
  const archive = await archiveOf({ 'data/workouts.json': [workout(1)] })
  for (const [receive, bytes, answer] of [
    [restoreUpload, archive, { success: true, errors: [] }],
    [importStravaUpload, zipUpload({ 'activities.csv': table }).bytes, { totalProcessed: 0, errors: 0 }],
  ] as const) {
    await using app = await testApp()
    const turns: Turns = {
      waiting: () => 0,
      take: async (work) => {
        const summary = await work()
        // somebody else was faster
        for (const name of filesOf(app, 'tmp')) rmSync(join(app.deps.config.dataDir, 'tmp', name))
        return summary
      },
    }
    const response = await receive(app.deps, turns, requestOf(bytes))
    expect(await response.json()).toMatchObject(answer)
    expect(app.logged).toEqual([expect.stringContaining('An upload could not be removed')])
  }
})

test('of several files the archive counts, and nothing stays of the others', async () => {
  const archive = await archiveOf({ 'data/workouts.json': [workout(1)] })
  await using app = await testApp()
  const response = await restoreUpload(app.deps, createTurns({ atOnce: 1 }), requestOf(archive, ['words.txt', 'a.zip']))
  expect(await response.json()).toMatchObject({ success: true, statistics: { workouts: { imported: 1 } } })
  expect(filesOf(app, 'tmp')).toEqual([])
})
