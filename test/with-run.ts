import { onTestFinished } from 'bun:test'
import { type TestApp, testApp } from './app.ts'

/** An app with one run, which is closed when the test is over. */
export async function withRun(bytes: Uint8Array | string, name?: string): Promise<{ app: TestApp; id: string }> {
  const app = await testApp()
  onTestFinished(app.close)
  return { app, id: await app.run(bytes, name) }
}
