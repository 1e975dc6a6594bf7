import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { recognised } from '../../src/takeouts/recognise.ts'
import { openSource } from '../../src/takeouts/source.ts'
import { nikeActivity } from '../fixtures/json-services.ts'
import { knownRuns } from '../fixtures/service-runs.ts'
import { buildZip } from '../fixtures/zip-builder.ts'
import { tempFolder } from '../temp-folder.ts'

const folder = tempFolder()

test('an export is recognised in one pass over its table of contents, and reads each beginning once', async () => {
  const others = Array.from({ length: 20_000 }, (_, k) => ({ name: `deep/in/a/folder/${k}.json`, data: '{}' }))
  const nike = { name: 'x/run.json', data: JSON.stringify(nikeActivity(knownRuns(1)[0]!)) }
  const path = join(folder, 'a.zip')
  await Bun.write(path, buildZip([...others, nike]))
  const source = await openSource(path, { filename: 'a.zip', tmpDir: folder })
  const [passes, heads]: [string[], string[]] = [[], []]
  const counted: typeof source = {
    ...source,
    entries: () => {
      passes.push('pass')
      return source.entries()
    },
    find: (name) => {
      passes.push(name)
      return source.find(name)
    },
    headOf: (entry, bytes) => {
      heads.push(entry.name)
      return source.headOf(entry, bytes)
    },
  }
  expect(await recognised(counted)).toMatchObject({ origin: 'nike' })
  expect(passes).toEqual(['pass'])
  // the largest first
  expect(heads[0]).toBe('x/run.json')
  expect(heads).toHaveLength(new Set(heads).size)
  await source.close()
})
