/** Work of unknown length within a button or a line; whole views use skeletons. */
export function Spinner() {
  return <span class="spinner" aria-hidden="true" />
}

/** A placeholder of the size of the content that is loading. */
export function Skeleton({ width = '100%', height }: { readonly width?: string; readonly height: string }) {
  return <span class="skeleton" style={{ width, height }} aria-hidden="true" />
}

/** Placeholders for lines of a list. */
export function SkeletonLines({ count, height }: { readonly count: number; readonly height: string }) {
  return (
    <div class="stack">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={height} />
      ))}
    </div>
  )
}
