import { expect, test } from 'bun:test'

const UNIT = new URL('../../contrib/harrier.service', import.meta.url).pathname
const analyze = Bun.which('systemd-analyze')

test.skipIf(analyze === null)('the systemd unit shuts its service off: exposure of at most 2.0 out of 10', () => {
  const { exitCode, stdout } = Bun.spawnSync([
    ...[analyze ?? '', 'security', '--offline=true', '--no-pager', '--threshold=20', UNIT],
  ])
  const [, exposure] = /exposure level for harrier\.service: ([\d.]+)/.exec(stdout.toString()) ?? []
  expect(Number(exposure)).toBeLessThanOrEqual(2)
  expect(exitCode).toBe(0)
})
