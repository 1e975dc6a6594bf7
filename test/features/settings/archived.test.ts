// What a restore leaves as it is, and what it makes of a foreign page.
import { expect, test } from 'bun:test'
import { readPage } from '../../../src/archive/format/account-rows.ts'
import { testApp } from '../../app.ts'
import { exported, restored } from '../../archive/archives.ts'

test('home stays where it is when an archive has another, and of a page what is known is read', async () => {
  await using app = await testApp()
  await app.ok('POST', '/places', { lat: 47, lon: 8, name: 'Home', isHome: true })
  await using other = await testApp()
  await other.ok('POST', '/places', { lat: 1, lon: 2, name: 'Here', isHome: true })
  await restored(other, await exported(app))
  const { places } = await other.ok('GET', '/places')
  expect(places).toHaveLength(2)
  expect(places.filter(({ isHome }: { isHome: boolean }) => isHome)).toMatchObject([{ name: 'Here' }])
  const foreign = { cards: [{ id: 'tides', shown: true }, { id: 'year' }, { id: 'year', shown: false }], effort: 'fun' }
  expect(readPage(foreign)).toEqual({ cards: [{ id: 'year', shown: true }], effort: null })
})
