import { useEffect, useRef, useState } from 'preact/hooks'
import type { Ink } from '../ink.ts'
import { createTileLayer, streetTiles, type TileLayer } from './tile-layer.ts'

/** Provides tiles while they are enabled; another theme draws them again. */
export function useTiles(
  isOn: boolean,
  ink: Ink,
  onTile: () => void,
): { readonly tiles: TileLayer | null; readonly isMissing: boolean } {
  const [tiles, setTiles] = useState<TileLayer | null>(null)
  const [isMissing, setMissing] = useState(false)
  const latest = useRef(onTile)
  latest.current = onTile
  useEffect(() => {
    if (!isOn) return
    const made = createTileLayer(streetTiles(ink), { onTile: () => latest.current(), onTrouble: setMissing })
    setTiles(made)
    return () => {
      made.stop()
      setTiles(null)
      setMissing(false)
    }
  }, [isOn, ink])
  return { tiles, isMissing }
}
