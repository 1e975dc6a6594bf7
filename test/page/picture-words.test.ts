import { expect, test } from 'bun:test'
import { NOTED, wordsOfPictures } from './picture-words.ts'

test('the pictures of README and docs show the words of the page; else bun run pictures makes them again', async () => {
  expect(await wordsOfPictures()).toBe((await Bun.file(NOTED).text()).trim())
})
