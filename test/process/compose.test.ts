import { expect, test } from 'bun:test'
import { MEMORY } from './real-server.ts'

// What a container that was taken over from inside can do no harm with.

const root = new URL('../../', import.meta.url).pathname

test('the container writes nothing but its data, has no privileges and limits of memory and processes', async () => {
  const { services, volumes } = Bun.YAML.parse(await Bun.file(`${root}compose.yaml`).text()) as {
    services: { harrier: Record<string, unknown> }
    volumes: Record<string, unknown>
  }
  expect(services.harrier).toMatchObject({
    read_only: true,
    tmpfs: [expect.stringMatching(/^\/tmp(:|$)/)],
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    mem_limit: '512m',
    pids_limit: 256,
    volumes: ['data:/data'],
  })
  expect(Object.keys(volumes)).toEqual(['data'])
  expect(await Bun.file(`${root}Dockerfile`).text()).toMatch(/^USER bun$/m)
})

test('the memory that Bun keeps is bounded in the same way, however the service is started', async () => {
  for (const file of ['package.json', 'Dockerfile', 'contrib/harrier.service', 'contrib/harrier@.service']) {
    const text = await Bun.file(root + file).text()
    for (const [name, value] of Object.entries(MEMORY)) {
      expect([file, new RegExp(`\\b${name}=(?:\\$\\{${name}:-)?(\\d+)`).exec(text)?.[1]]).toEqual([file, value])
    }
  }
})

test('what the image is made of holds no data, no history and nothing that the image does not need', async () => {
  const ignored = (await Bun.file(`${root}.dockerignore`).text()).split('\n').filter((line) => line !== '')
  // everything is left out, and the Dockerfile copies no more than what is let in again
  expect(ignored[0]).toBe('*')
  const copied = [...(await Bun.file(`${root}Dockerfile`).text()).matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
  const sources = new Set(copied.flatMap(([, names]) => names?.split(' ') ?? []))
  expect(new Set(ignored.slice(1).map((line) => line.replace(/^!/, '')))).toEqual(sources)
  expect(sources).toEqual(new Set(['package.json', 'bun.lock', 'bunfig.toml', 'tsconfig.json', 'src']))
})
