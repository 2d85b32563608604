/** What the server writes above the service worker: workbench/web/judging/offline.py. */
declare const SERVER: { edition: string; prefix: string; root: string; static: string; sign_out: string[] };
