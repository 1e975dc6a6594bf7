// What a restore leaves as it is.
import { expect, test } from 'bun:test'
import { testApp } from '../../app.ts'
import { exported, restored } from '../../archive/archives.ts'

test('home stays where it is when an archive has another', async () => {
  await using app = await testApp()
  await app.ok('POST', '/places', { lat: 47, lon: 8, name: 'Home', isHome: true })
  await using other = await testApp()
  await other.ok('POST', '/places', { lat: 1, lon: 2, name: 'Here', isHome: true })
  await restored(other, await exported(app))
  const { places } = await other.ok('GET', '/places')
  expect(places).toHaveLength(2)
  expect(places.filter(({ isHome }: { isHome: boolean }) => isHome)).toMatchObject([{ name: 'Here' }])
})
