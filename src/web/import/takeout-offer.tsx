import { counted } from '../format.ts'
import { useUnits } from '../state.ts'
import type { TakeoutSummary } from '../types.ts'
import { Button } from '../ui/button.tsx'
import { importOffered } from './queue.ts'
import { previewText } from './takeout-words.ts'

/** What an export has, and the choice to import it; dismissing the imports leaves it. */
export function TakeoutOffer({ id, offer }: { readonly id: number; readonly offer: TakeoutSummary }) {
  const units = useUnits()
  const { successful, preview } = offer
  const news = successful > 0 && successful < (preview?.runs ?? 0) ? ` ${counted(successful, 'new run')}` : ''
  return (
    <div class="takeout-offer stack gap-2">
      <p>{previewText(offer, units)}</p>
      <div class="flow">
        <Button kind="primary" size="small" onClick={() => importOffered(id, true)}>
          Import{news}
        </Button>
        {(preview?.shoes.length ?? 0) > 0 && (
          <Button kind="quiet" size="small" onClick={() => importOffered(id, false)}>
            Import without new shoes
          </Button>
        )}
      </div>
    </div>
  )
}
