@node "%~dp0tooling\bootstrap\run.mjs" vaani %*
