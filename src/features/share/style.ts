/** Of the pages for others; colours as in src/web/theme.css. */
export const STYLE = `
:root{color-scheme:light dark;--bg:light-dark(#f6f5f1,#111516);--surface:light-dark(#fffefb,#181d1e);--line:light-dark(#e2dfd6,#2b3233);
--text:light-dark(#1b2224,#e9ecea);--muted:light-dark(#5f6663,#9ba5a2);--accent:light-dark(#0b6a70,#62c4bf);--soft:light-dark(#dcebe9,#1b3535);
--heart:light-dark(#b3362b,#f08a7d);--height:light-dark(#a5630f,#e0a457)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:400 .9375rem/1.5 ui-sans-serif,-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
main,footer{max-width:760px;margin:0 auto;padding:24px 16px 0}
footer{padding-bottom:32px;font-size:.8125rem}
:is(h1,h2,p,dl,dd,ul){margin:0;padding:0}
h1{font-size:1.75rem;font-weight:640;line-height:1.2;letter-spacing:-.02em;overflow-wrap:anywhere}
h2{font-size:.9375rem;font-weight:620;margin-bottom:8px}
main{display:grid;gap:16px}
main>p{font-size:.8125rem}
.muted{color:var(--muted)}
.notes{white-space:pre-line;overflow-wrap:anywhere}
section{background:var(--surface);border:1px solid var(--line);border-radius:14px;padding:16px;min-width:0}
.map{padding:0;overflow:hidden}
svg{display:block;width:100%;height:auto}
svg text{font-size:13px;fill:var(--muted)}
.figures{display:flex;flex-wrap:wrap;gap:12px 32px}
.figures dt{color:var(--muted);font-size:.8125rem}
.figures dd{font-size:1.5rem;font-weight:640;letter-spacing:-.02em;white-space:nowrap}
:is(.halo,.route,.line,.scale){fill:none;stroke-linejoin:round;stroke-linecap:round}
.halo{stroke:var(--soft);stroke-width:11}
.route{stroke:var(--accent);stroke-width:4}
.start{fill:var(--surface);stroke:var(--accent);stroke-width:4}
.finish{fill:var(--text);stroke:var(--surface);stroke-width:3}
.scale{stroke:var(--muted);stroke-width:1.5}
.grid{stroke:var(--line);stroke-width:1}
.line{stroke:var(--accent);stroke-width:2}
.heart .line{stroke:var(--heart)}
.elevation .line{stroke:var(--height)}
.area{fill:var(--height);opacity:.16}
.bar{fill:var(--accent);opacity:.35}
table{width:100%;border-collapse:collapse;font-size:.875rem}
th{font-weight:500;color:var(--muted);font-size:.8125rem}
:is(th,td){padding:4px 0 4px 16px;text-align:right;white-space:nowrap}
:is(th,td):first-child{padding-left:0;text-align:left}
.wide{width:60%}
.wide svg{height:8px}
.photos{display:grid;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));gap:12px;list-style:none}
.photos img{display:block;width:100%;aspect-ratio:4/3;object-fit:cover;border-radius:8px;background:var(--line)}
.photos p{font-size:.8125rem;overflow-wrap:anywhere}
@media (max-width:479px){h1{font-size:1.375rem}.figures{gap:10px 24px}.figures dd{font-size:1.25rem}.wide{width:40%}svg text{font-size:22px}.map text{font-size:20px}}
`
