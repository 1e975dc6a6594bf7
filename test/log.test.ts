import { expect, test } from 'bun:test'

const LOG = new URL('../src/log.ts', import.meta.url).pathname

test('a process continues when its standard error is closed', async () => {
  const program = `
    const { consoleLog } = await import(${JSON.stringify(LOG)})
    const log = consoleLog('info')
    for (let line = 0; line < 10; line += 1) {
      log.info('a line')
      await Bun.sleep(20)
    }
    console.log('came to its end')`
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'pipe' })
  const reader = child.stderr.getReader()
  await reader.read()
  await reader.cancel()
  expect(await new Response(child.stdout).text()).toBe('came to its end\n')
  expect(await child.exited).toBe(0)
})
