/** "Chrome 130, Windows" of a user agent, or the whole of it. Held by test/portal/app/figures.test.ts. */

/** The first that fits: most browsers also claim to be another one. */
const BROWSERS = [
  [/\bEdgA?\/(\d+)|\bEdgiOS\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]*(?: Mobile\/\w+)? Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

export function browserName(userAgent: string): string {
  for (const [pattern, name] of BROWSERS) {
    const version = pattern.exec(userAgent)?.slice(1).find(Boolean);
    if (version === undefined) continue;
    const system = SYSTEMS.find(([sign]) => sign.test(userAgent))?.[1];
    return [`${name} ${version}`, ...(system ? [system] : [])].join(', ');
  }
  return userAgent;
}
