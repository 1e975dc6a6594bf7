import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testApp } from '../../app.ts'
import { fitRun, START_MS } from '../../fixtures/runs.ts'
import { lose } from '../../library/as-stored.ts'
import { tempFolder } from '../../temp-folder.ts'
import { listeningApp } from './listening.ts'

const BOOK = readFileSync(join(import.meta.dir, '../../../docs/scripting.md'), 'utf8')

test('the sensor of the docs is one, and asks for what the service answers', async () => {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(BOOK) ?? []
  const { rest } = Bun.YAML.parse(yaml) as {
    rest: { resource: string; headers: Record<string, string>; sensor: Record<string, string>[] }[]
  }
  const [{ resource, headers, sensor }] = rest as [(typeof rest)[number]]
  expect([Object.keys(headers), sensor.length]).toEqual([['Authorization'], 1])
  const [, member = ''] = /value_json\.(\w+)/.exec(sensor[0]?.value_template ?? '') ?? []
  await using app = await testApp()
  expect(await app.ok('GET', new URL(resource).pathname)).toHaveProperty(member)
})

const HAS_TOOLS = ['sh', 'curl', 'jq'].every((tool) => Bun.which(tool) !== null)

test.skipIf(!HAS_TOOLS)(
  'the loop of the docs keeps the runs that there are, and begins again when it must',
  async () => {
    await using app = await testApp()
    const folder = tempFolder()
    const server = listeningApp(app).serve()
    const { key } = await app.ok('POST', '/auth/api-keys', { scope: 'read' })
    const lines = BOOK.slice(BOOK.indexOf('    mkdir -p runs'), BOOK.indexOf('A sensor of Home')).replace(/^ {4}/gm, '')
    const script = lines.replace('while round; sleep 60; do :; done', 'round')
    const round = async () => {
      const env = { ...process.env, A: `Authorization: Bearer ${key}`, B: server.address }
      const { exited, stderr } = Bun.spawn(['sh', '-c', script], { cwd: folder, env, stderr: 'pipe' })
      const [said] = await Promise.all([new Response(stderr).text(), exited])
      const files = readdirSync(join(folder, 'runs')).toSorted()
      const names = files.map((file) => JSON.parse(readFileSync(join(folder, 'runs', file), 'utf8')).name)
      return [files.map((file) => file.slice(0, -5)), names, said]
    }
    const [one, other] = [await app.run(fitRun()), await app.run(fitRun({ startMs: START_MS - 86_400_000 }))]
    expect(await round()).toEqual([[one, other], [null, null], ''])
    await app.ok('PATCH', `/workouts/${one}`, { name: 'Hills' })
    await app.call('DELETE', `/workouts/${other}`)
    expect(await round()).toEqual([[one], ['Hills'], ''])
    // a run that cannot be read now is read in a later round, and what was kept of it stays until then
    await app.ok('PATCH', `/workouts/${one}`, { name: 'Flat' })
    const giveBack = lose(app.deps, 'workout_split')
    expect(await round()).toEqual([[one], ['Hills'], ''])
    giveBack()
    expect(await round()).toEqual([[one], ['Flat'], ''])
    writeFileSync(join(folder, 'next'), '{"next":99}')
    writeFileSync(join(folder, 'runs', `${other}.json`), '{"name":"gone"}')
    await round()
    expect(await round()).toEqual([[one], ['Flat'], ''])
    await server.stop()
  },
)
