#!/bin/sh
# Part of the development environment's set-up: the Chromium in which the page is tried, where this machine lets itself be
# given one. Elsewhere it says what to do and fails nothing: the page's tests are skipped then, and say so.

install="apt-get install -y -q --no-install-recommends chromium"
export DEBIAN_FRONTEND=noninteractive

command -v chromium >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing Chromium for the tests of the page: $install"
  # A fresh machine knows of no packages yet.
  $install >/dev/null 2>&1 || { apt-get update -q >/dev/null && $install >/dev/null; } && exit 0
fi
echo "No Chromium on the PATH: the page's tests will be skipped. To have them: $install, as root" >&2
exit 0
